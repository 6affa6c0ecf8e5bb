#include "baseline/best_effort.hpp"

#include "base/error.hpp"
#include "baseline/weighted_fit.hpp"
#include "discrepancy/estimate.hpp"
#include "objective/solve.hpp"

namespace dpadapt::baseline {
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
