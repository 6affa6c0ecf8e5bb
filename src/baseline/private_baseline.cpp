#include "baseline/private_baseline.hpp"

#include "base/error.hpp"
#include "solution/describe.hpp"

namespace dpadapt::baseline {
namespace {

/** Before anything is prepared. */
const Settings &checked(const Settings &settings) {
    if (settings.privacy.domains != privacy::kTarget)
        throw Error(DPA_E_OPTION,
                    "private baselines protect the target and need a public source: "
                    "private_domain must be target");
    if (settings.privacy.calibration != privacy::Calibration::exact)
        throw Error(DPA_E_OPTION, "calibration = paper has no formula for baselines");
    return settings;
}

}  // namespace

PrivateBaseline::PrivateBaseline(const Sample &source, const Sample &target,
                                 const Settings &settings, Control &control)
    : settings_(checked(settings)), control_(control), problem_(source, target, settings, control) {
    facts_.source_rows = source.rows();
    facts_.target_rows = target.rows();
    facts_.dimension = problem_.dimension();
    facts_.alpha = problem_.hyperparameters().alpha;
    facts_.radius = problem_.hyperparameters().radius;
    facts_.record_radius = problem_.record_radius();
    facts_.label_bound = problem_.clipping().label_bound;
    facts_.parameters = problem_.loss().parameters(problem_.dimension());
    facts_.bounds = loss_bounds(problem_.loss(), facts_);
}

void PrivateBaseline::charge(privacy::Ledger &ledger) {
    payment_.charge(plan_, settings_.privacy, ledger);
}

privacy::PlanRequest PrivateBaseline::request() const {
    privacy::PlanRequest request;
    request.source_rows = facts_.source_rows;
    request.target_rows = facts_.target_rows;
    request.epsilon = settings_.privacy.epsilon;
    request.delta = settings_.privacy.delta;
    request.discrepancy_share = settings_.privacy.discrepancy_share.value_or(0.0);
    request.noise_multiplier = settings_.privacy.noise_multiplier;
    request.laplace_epsilon = settings_.privacy.laplace_epsilon;
    return request;
}

Solution PrivateBaseline::solution(const arma::vec &theta, double alpha, std::size_t steps) const {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Hyperparameters used = problem_.hyperparameters();
    used.alpha = alpha;
    Solution solution;
    describe_predictor(problem_.preprocess(), problem_.choice(), theta, solution);
    solution.source_rows = facts_.source_rows;
    solution.target_rows = facts_.target_rows;
    solution.source_weights.assign(solution.source_rows,
                                   alpha / static_cast<double>(solution.source_rows));
    solution.objective = kNone;
    solution.duality_gap = kNone;
    solution.iterations = static_cast<std::int64_t>(steps);
    solution.termination = Termination::steps;
    solution.settings = used_settings(used, kNone, problem_.clipping());
    return solution;
}

}  // namespace dpadapt::baseline
