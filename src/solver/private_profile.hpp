#pragma once

#include "solver/private_run.hpp"

namespace dpadapt {

/** Private minimization of the paper's objective for a fixed alpha, with the weights profiled out.
 *
 *  At w each weight is at its best, a function of the record's own loss, of d and of the scalars s
 *  and t that stand for ||q||_2 and max q; so the gradient by w is a sum over records, q_j r_j
 *  zeta_j in the public metric, and no noise is spent on the weights. A term is shrunk to norm p_j
 *  C, which only lowers its weight further. Private terms are released as one noisy sum a step,
 *  public ones are exact; then a gradient step in the metric, projected on the ball, and the
 *  average of the last half of the steps. With kappa_2 or kappa_inf the derivatives by s and t are
 *  two more coordinates of the same sum: s and t are released state, never functions of unreleased
 *  weights.
 *
 *  Privacy: as fit_with_shrinkage; records of both samples are in one sum if both are private. */
[[nodiscard]] PrivateFit fit_private_profile(const PrivateRun &run, const PrivacySettings &settings,
                                             double discrepancy);

}  // namespace dpadapt
