#pragma once

#include "baseline/private_moments.hpp"
#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** A predictor that was found at once, as a solution in which source rows have the weight alpha
 *  together and target rows the rest; no objective and no gap are known of it. */
[[nodiscard]] Solution closed_form(const PreparedProblem &problem, const arma::vec &theta,
                                   double alpha);

/** Sufficient-statistics perturbation for the squared loss: with the released means Nxx, Nxy of z
 *  z' and z y the global minimum of
 *
 *      alpha L_source(w) + (1 - alpha) (w'Nxx w - 2 w'Nxy) + ridge ||w||^2,  ||w|| <= Lambda,
 *
 *  which noise may make indefinite. alpha = 0 uses the target alone. */
[[nodiscard]] Solution fit_sufficient_statistics(const PrivateMoments &call, const Moments &target,
                                                 double alpha);

/** AdaSSP (Wang 2018) of the target alone: the ridge grows by max(0, t - max(0, e)), with e the
 *  smallest eigenvalue of Nxx and t = sigma sqrt(d log(2 d^2/.05)) the paper's bound of the noise's
 *  spectral norm, sigma the deviation of an entry. The paper releases e for a third of the budget;
 *  here it is read off Nxx, which is post-processing and leaves the whole budget to the moments: on
 *  data of 12 to 134 coordinates the error is nearly always smaller. */
[[nodiscard]] Solution fit_adaptive_ridge(const PrivateMoments &call, const NoisyMoments &target);

/** Best-effort adaptation (BEST; Awasthi, Cortes and Mohri 2024): the general form with its exact
 *  weights, minimized from the fits of the target, of both samples and of the source, and from
 *  where dpa_solve starts; the least objective is the result, stationary and no more. Its
 *  discrepancy is local where none is given: over the ball around the target's fit that reaches the
 *  source's, or the radius that discrepancy_radius gives. Throws Error(DPA_E_OPTION) unless
 *  lambda_1 is a number. */
[[nodiscard]] Solution best_effort(const PreparedProblem &problem, const Settings &settings,
                                   Control &control);

}  // namespace dpadapt::baseline
