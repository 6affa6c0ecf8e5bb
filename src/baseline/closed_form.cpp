#include "baseline/closed_form.hpp"

#include <cmath>

#include "base/error.hpp"
#include "baseline/weighted_fit.hpp"
#include "discrepancy/estimate.hpp"
#include "linalg/trust_region.hpp"
#include "objective/solve.hpp"
#include "solution/findings.hpp"

namespace dpadapt::baseline {

Solution closed_form(const PreparedProblem &problem, const arma::vec &theta, double alpha) {
    Hyperparameters used = problem.hyperparameters();
    used.alpha = alpha;
    Solution solution =
        describe_predictor(problem.preprocess(), problem.public_sample().choice(), theta);
    solution.source_rows = problem.source().rows();
    solution.target_rows = problem.target().rows();
    solution.source_weights = problem.source().shares(alpha);
    solution.target_weights = problem.target().shares(1.0 - alpha);
    solution.termination = Termination::converged;
    solution.settings = used_settings(used, problem.clipping());
    return solution;
}

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

namespace {

/** Around the target's fit; around zero where a loss has no single linear score to give a centre
 *  for. */
double local_discrepancy(const PreparedProblem &problem, const Settings &settings,
                         const arma::vec &target_fit, const arma::vec &source_fit,
                         Control &control) {
    Settings local = settings;
    const loss::Loss &loss = problem.public_sample().loss();
    if (loss.output() == &loss && loss.output()->outputs() == 1) {
        const Predictor center = problem.preprocess().to_user(target_fit);
        local.center_kind = CenterKind::given;
        local.center.assign(center.coefficients.begin(), center.coefficients.end());
        if (problem.preprocess().has_intercept()) local.center.push_back(center.intercept);
        if (!local.discrepancy_radius)
            local.discrepancy_radius = arma::norm(target_fit - source_fit);
    }
    return estimate_discrepancy(problem, local, control).value;
}

}  // namespace

Solution best_effort(const PreparedProblem &problem, const Settings &settings, Control &control) {
    if (!settings.lambda_1)
        throw Error(DPA_E_OPTION, "baseline best needs a number for the option lambda_1");
    const double alpha = problem.hyperparameters().alpha;
    const auto fit = [&](double of_source, double of_target) {
        return fit_theta(problem, problem.source().shares(of_source),
                         problem.target().shares(of_target), settings, control)
            .x;
    };
    const arma::vec starts[] = {fit(0.0, 1.0), fit(alpha, 1.0 - alpha), fit(1.0, 0.0)};
    const double d = settings.discrepancy
                         ? *settings.discrepancy
                         : local_discrepancy(problem, settings, starts[0], starts[2], control);
    Solution best = solve(problem, d, settings, control);
    for (const arma::vec &start : starts) {
        Solution other = solve(problem, d, settings, control, start);
        if (other.objective < best.objective) best = std::move(other);
    }
    return best;
}

}  // namespace dpadapt::baseline
