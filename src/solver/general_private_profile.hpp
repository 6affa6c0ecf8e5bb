#pragma once

#include "solver/general_weights.hpp"
#include "solver/private_run.hpp"

namespace dpadapt {

/** Private descent on the general form, any loss, for a fixed alpha, with the weights profiled out.
 *
 *  At theta each weight is at its best, a function of the record's own loss, of d and of the
 *  scalars s = ||q||_2 and S = sum exp(mu q); so the gradient by theta is a sum over records, q_j
 *  times the gradient of loss j in the public metric. A term is shrunk to norm p_j C, which only
 *  lowers its weight further. Private terms are released as one noisy sum a step, public ones are
 *  exact; then a step in the metric, projected on the ball. With lambda_2 or lambda_inf the sums of
 *  q^2 and exp(mu q) - 1 are two more coordinates: s and S are released state.
 *
 *  Privacy: as fit_with_shrinkage; records of both samples are in one sum if both are private. */
[[nodiscard]] PrivateFit fit_general_profile(const PrivateRun &run, const Settings &settings,
                                             double discrepancy);

/** The best weight of a record at that fit. */
[[nodiscard]] GeneralRule rule_at(const PrivateFit &fit, const Hyperparameters &hyper);

}  // namespace dpadapt
