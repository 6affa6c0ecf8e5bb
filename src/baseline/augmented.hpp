#pragma once

#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** Feature augmentation (Daume III, 2007): a predictor w_0 that both domains share and one of each
 *  domain's own, minimizing
 *
 *      alpha L_source(w_0 + w_S) + (1 - alpha) L_target(w_0 + w_T)
 *          + r (||w_0||^2 + ||w_S||^2 + ||w_T||^2)
 *
 *  for the squared loss; the result is w_0 + w_T. The ridge r is the option `ridge`, or if that is
 *  0 chosen by target rows left out. */
[[nodiscard]] Solution augmented(const PreparedProblem &problem, const Settings &settings,
                                 Control &control);

}  // namespace dpadapt::baseline
