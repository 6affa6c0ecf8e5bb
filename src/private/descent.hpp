#pragma once

#include "problem/settings.hpp"
#include "records/run.hpp"

namespace dpadapt {

/** Private minimization of the objective for a fixed alpha, any loss and penalty, with the weights
 *  profiled out.
 *
 *  At theta each weight is at its best, a function of the record's own loss, of d and of the
 *  scalars that stand for ||q||_2 and the largest weight; so the gradient by theta is a sum over
 *  records, q_j times the gradient of loss j in the metric, and no noise is spent on the weights. A
 *  term is shrunk to norm p_j C, which only lowers its weight further. Private terms are released
 *  as one noisy sum a step, public ones are exact; then a step in the metric, projected on the ball
 *  if the option radius is set, and the average of the last half of the steps, of three quarters
 *  if noise explains the difference of the quarter before, of all if it explains that
 *  of the first quarter too. Where the
 *  penalty couples the weights, the sums behind the scalars are two more coordinates of the same
 *  sum: the scalars are released state, never functions of unreleased weights. What noise explains
 *  of the result's distance from the minimum of the public part is taken back. Without private
 *  terms (alpha = 1, say) the public part is minimized at no cost.
 *
 *  Privacy: as fit_with_shrinkage; records of both samples are in one sum if both are private. */
[[nodiscard]] PrivateFit fit_with_fixed_alpha(const PrivateRun &run, const Settings &settings,
                                              double discrepancy);

}  // namespace dpadapt
