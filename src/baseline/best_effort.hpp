#pragma once

#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** Best-effort adaptation (BEST; Awasthi, Cortes and Mohri 2024): the general form with its exact
 *  weights, minimized from the fits of the target, of both samples and of the source, and from
 *  where dpa_solve starts; the least objective is the result, stationary and no more. Its
 *  discrepancy is local where none is given: over the ball around the target's fit that reaches the
 *  source's, or the radius that discrepancy_radius gives. Throws Error(DPA_E_OPTION) unless
 *  lambda_1 is a number. */
[[nodiscard]] Solution best_effort(const PreparedProblem &problem, const Settings &settings,
                                   Control &control);

}  // namespace dpadapt::baseline
