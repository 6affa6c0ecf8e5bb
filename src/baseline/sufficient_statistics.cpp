#include "baseline/sufficient_statistics.hpp"

#include <cmath>

#include "linalg/trust_region.hpp"

namespace dpadapt::baseline {

Solution fit_sufficient_statistics(const PrivateMoments &call, const Moments &target,
                                   double alpha) {
    const Moments source = call.problem().public_sample()->rows().moments();
    arma::mat h = alpha * source.second + (1.0 - alpha) * target.second;
    h.diag() += call.settings().baseline.ridge;
    const arma::vec g = -alpha * source.cross - (1.0 - alpha) * target.cross;
    const arma::vec w =
        linalg::minimize_in_ball(linalg::decompose(std::move(h)), g, call.facts().radius).x;
    return call.solution(w, alpha, 1);
}

Solution fit_adaptive_ridge(const PrivateMoments &call, const NoisyMoments &target) {
    constexpr double kFailure = 0.05;
    const auto d = static_cast<double>(call.facts().dimension);
    const double spectral_norm = target.deviation * std::sqrt(d * std::log(2.0 * d * d / kFailure));
    const double least = std::max(0.0, linalg::decompose(target.second).values.min());
    const Moments &released = target;
    Moments ridged = released;
    ridged.second.diag() += std::max(0.0, spectral_norm - least);
    return fit_sufficient_statistics(call, ridged, 0.0);
}

}  // namespace dpadapt::baseline
