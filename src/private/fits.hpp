#pragma once

#include "problem/settings.hpp"
#include "records/paid_call.hpp"

namespace dpadapt {

/** Private adaptation with alpha chosen by the data (alpha = auto), for any loss, all of it
 *  post-processing of T releases, and of the two before them that choose_anchor and
 *  choose_metric may make.
 *
 *  Steps start from the anchor. At v_t the private mean of the clipped gradients, released with
 *  noise, gives the estimate v_t -
 *  mean of the target's optimum (a Newton step, as far as the metric has the target's Hessian);
 *  their mean, by what clips leave of gradients (EstimatedOptimum), is moved to the anchor as far
 *  as the noise and the sampling error, both known from public numbers, could explain the distance
 *  (ShiftRule). Steps that lead too far are shortened, and those that hardly change the
 *  gradient grow (StepLength). With little data or a small epsilon the result is the anchor; as
 *  both grow it is the target's own.
 *
 *  With a private source the steps estimate its optimum, and the target's public rows, left out in
 *  turn, give its weight (LeftOutRows); of several scores the rule's roles are exchanged.
 *  With both private the source has T steps, then the target T from where these have ended.
 *
 *  Privacy: each of the T sums has certified sensitivity 2 Q in exact integers (sums::VectorSum)
 *  and noise floor(2^b Z), which makes it grid.certified_mu()-GDP; squares add up. T is fixed. How
 *  many releases share a point, and so a pass, follows from released values. No value computed from
 *  private rows leaves otherwise, and no branch depends on one. */
[[nodiscard]] PrivateFit fit_with_shrinkage(const PrivateRun &run, const Settings &settings);

/** Private minimization of the objective for a fixed alpha, any loss and penalty, with the weights
 *  profiled out.
 *
 *  At theta each weight is at its best, a function of the record's own loss, of d and of the
 *  scalars that stand for ||q||_2 and the largest weight; so the gradient by theta is a sum over
 *  records, q_j times the gradient of loss j in the metric, and no noise is spent on the weights. A
 *  term is shrunk to norm p_j C, which only lowers its weight further. Private terms are released
 *  as one noisy sum a step, public ones are exact; then a step in the metric, projected on the ball
 *  if the option radius is set, and the average of the last half of the steps, of three quarters
 *  if noise explains the difference of the quarter before, of all if it explains that of the first
 *  quarter too. Where the penalty couples the weights, the sums behind the scalars are two more
 *  coordinates of the same sum: the scalars are released state, never functions of unreleased
 *  weights. What noise explains of the result's distance from the minimum of the public part is
 *  taken back. Without private terms (alpha = 1, say) the public part is minimized at no cost.
 *
 *  Privacy: as fit_with_shrinkage; records of both samples are in one sum if both are private. */
[[nodiscard]] PrivateFit fit_with_fixed_alpha(const PrivateRun &run, const Settings &settings,
                                              double discrepancy);

}  // namespace dpadapt
