#include "baseline/private_dm.hpp"

#include "baseline/discrepancy_minimization.hpp"
#include "baseline/weighted_fit.hpp"

namespace dpadapt::baseline {

Solution fit_private_dm(const PrivateMoments &call, const Moments &target, const Limits &limits) {
    const PublicSample &source = *call.problem().public_sample();
    const Weights weights =
        minimize_discrepancy(source.rows(), target.second, limits, call.control());
    Hyperparameters used = call.problem().hyperparameters();
    used.alpha = 1.0;
    Solution solution = fit_source(source, used, weights, call.settings(), call.control());
    solution.target_rows = call.facts().target_rows;
    return solution;
}

}  // namespace dpadapt::baseline
