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
    : ProblemCall(source, (check_persons(target, settings, Wanted::baseline), target),
                  checked(settings), control) {}

Solution PrivateBaseline::solution(const arma::vec &theta, double alpha, std::size_t steps) const {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Hyperparameters used = problem().hyperparameters();
    used.alpha = alpha;
    Solution solution;
    describe_predictor(problem().preprocess(), problem().choice(), theta, solution);
    solution.source_rows = facts().source_rows;
    solution.target_rows = facts().target_rows;
    solution.source_weights = problem().public_sample()->rows().shares(alpha);
    solution.objective = kNone;
    solution.duality_gap = kNone;
    solution.iterations = static_cast<std::int64_t>(steps);
    solution.termination = Termination::steps;
    solution.settings = used_settings(used, kNone, problem().clipping());
    return solution;
}

}  // namespace dpadapt::baseline
