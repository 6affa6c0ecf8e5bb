#pragma once

#include "baseline/weighted_fit.hpp"
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

/** TrAdaBoost (Dai, Yang, Xue and Yu 2007) for labels -1 and +1. With N = `rounds`, each round
 *
 *  - fits a classifier h to all rows by their weights, at first equal ones,
 *  - takes the share E of the target's weight on which h errs,
 *  - multiplies the weights of source rows on which h errs by 1/(1 + sqrt(2 ln(m)/N)), and those
 *    of target rows by (1 - E)/E.
 *
 *  The rounds from number ceil(N/2) on vote, with weight ln((1 - E)/E). Where the paper demands
 *  0 < E < 1/2: a smaller E counts as 1e-10, and a round of a larger one, or of one that is a half
 *  up to 1e-10 (the same labels as in the round before), has no vote and leaves the target's
 *  weights; if none has a vote, the last classifier is the answer. Throws
 *  Error(DPA_E_OPTION) for another loss. */
[[nodiscard]] Solution tradaboost(const PreparedProblem &problem, const Settings &settings,
                                  Control &control);

/** TrAdaBoost.R2 (Pardoe and Stone 2010): the same with errors |y - h(x)|, divided by the largest
 *  one of all rows, as exponents of the factors, and E their mean by the target's weights. The
 *  paper predicts the weighted median of the rounds; this is their weighted mean, which is a linear
 *  predictor again. The weights of the solution are the weighted means of the rounds'. Throws
 *  Error(DPA_E_OPTION) for another loss than the squared one. */
[[nodiscard]] Solution tradaboost_r2(const PreparedProblem &problem, const Settings &settings,
                                     Control &control);

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
