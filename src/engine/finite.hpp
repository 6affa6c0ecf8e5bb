#pragma once

#include "discrepancy/estimate.hpp"
#include "solution/solution.hpp"

namespace dpadapt::engine {

/** Throw Error(DPA_E_NUMERICAL) for a result that is not finite, or has a negative weight. What a
 *  result does not have is NaN by intent: certificates, and the objective of private fits and of
 *  some baselines. Of a private result only what is released is looked at, so that the status
 *  tells nothing else. */
void check_finite(const Solution &solution, bool has_objective);
void check_finite(const Discrepancy &discrepancy);

}  // namespace dpadapt::engine
