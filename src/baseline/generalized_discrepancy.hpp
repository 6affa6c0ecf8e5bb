#pragma once

#include "baseline/weighted_fit.hpp"

namespace dpadapt::baseline {

/** Generalized discrepancy minimization (Cortes, Mohri and Munoz Medina 2019) for the squared loss
 *  and linear predictors. The weights q are those of discrepancy minimization, and the hypotheses
 *  that could label the target are the ball
 *
 *      H'' = {w'' : sum_i q_i (w''.z_i - y_i)^2 <= its minimum + rho^2}
 *
 *  around the least-squares fit w_0 of the weighted source; where q leaves a coordinate open, 1e-10
 *  of the mean square of a coordinate bounds it. With D(w, w'') the mean of (w.z - w''.z)^2 over
 *  the target, whose labels are not read, the predictor minimizes
 *
 *      ridge ||w||^2 + 1/2 (max over H'' of D(w, w'') + min over H'' of D(w, w'')).
 *
 *  Without a ridge that is w_0, the fit of `dm`. rho is the option `hypothesis_radius`; without one
 *  H'' reaches to the fit of the unweighted source. No bound on ||w|| is applied.
 *
 *  The program is convex, and the duality gap bounds the distance from its minimum. The loss must
 *  be squared. */
[[nodiscard]] Solution minimize_generalized_discrepancy(const PreparedProblem &problem,
                                                        const Weights &weights,
                                                        const Settings &settings, Control &control);

}  // namespace dpadapt::baseline
