#include "private/average_noise.hpp"

#include <algorithm>
#include <cmath>

#include "private/public_metric.hpp"

namespace dpadapt {
namespace {

/** Of the last `averaged` of v_{t+1} = (1 - h) v_t - noise, in a direction of curvature h. */
double noise_along(double h, std::uint64_t steps, std::uint64_t averaged) {
    constexpr std::uint64_t kMostSteps = 1000;  // before them noise is forgotten, or will never be
    const auto k = static_cast<double>(averaged);
    const double keep = 1.0 - h;
    const auto sum = [&](double terms) {  // of the first powers of keep
        return h > 0.0 ? (1.0 - std::pow(keep, terms)) / h : terms;
    };
    const std::uint64_t before = std::min(steps - averaged, kMostSteps);
    double variance = 0.0;
    for (std::uint64_t t = 1; t <= before; ++t) {
        const double share = std::pow(keep, static_cast<double>(t)) * sum(k) / k;
        variance += share * share;
    }
    const std::uint64_t last = std::min(averaged, kMostSteps);
    for (std::uint64_t t = 1; t <= last; ++t) {
        const double share = sum(k * static_cast<double>(t) / static_cast<double>(last)) / k;
        variance += share * share * k / static_cast<double>(last);
    }
    return variance;
}

}  // namespace

double noise_of_average(const Metric &metric, const PublicSample &sample, std::uint64_t steps,
                        std::uint64_t averaged, double pushed) {
    constexpr double kPi = 3.14159265358979323846;
    const auto features = static_cast<double>(metric.inverse.n_cols);
    const double force = pushed * std::sqrt(kPi * features / 2.0);
    const double linear = std::min(1.0, std::pow(force, -4.0));
    if (!metric.maps_rows) return noise_along(linear, steps, averaged);
    const arma::mat hessian =
        metric.map * public_hessian(sample, PublicTerms(sample, sample.fit())) * metric.map.t();
    const arma::vec curvatures =
        arma::clamp(linalg::decompose(arma::symmatu(hessian)).values, 0.0, 1.0);
    double sum = 0.0;
    for (const double h : curvatures) sum += noise_along(linear * h, steps, averaged);
    return sum / static_cast<double>(curvatures.n_elem);
}

}  // namespace dpadapt
