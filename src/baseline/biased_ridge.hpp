#pragma once

#include "baseline/weighted_fit.hpp"

namespace dpadapt::baseline {

/** The target's loss with a ridge towards the source's fit w_0,
 *
 *      (1/n) sum_i l(w, x_i, y_i) + (r/2) s ||w - w_0||^2,
 *
 *  s the mean curvature along a coordinate; of a falling sequence of r the one with the least loss
 *  of target rows that are left out one by one. Of the source only w_0 is read. Throws
 *  Error(DPA_E_OPTION) for a loss without one linear score. */
[[nodiscard]] Solution biased_ridge(const PreparedProblem &problem, const Settings &settings,
                                    Control &control);

}  // namespace dpadapt::baseline
