#pragma once

#include <span>

#include "baseline/private_moments.hpp"
#include "baseline/weights.hpp"
#include "linalg/smooth_minimum.hpp"
#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** The predictor for given weights of all records: theta minimizing
 *
 *      sum_i q_i l(theta, x_i, y_i) + ridge ||theta||^2,  ||theta|| <= Lambda,
 *
 *  to the tolerance of the settings, with the Frank-Wolfe gap as duality gap where the loss is
 *  convex. A sample whose weights are empty has no part. */
[[nodiscard]] linalg::SmoothMinimum fit_theta(const PreparedProblem &problem,
                                              std::span<const double> source,
                                              std::span<const double> target,
                                              const Settings &settings, Control &control);

/** The same as a solution. */
[[nodiscard]] Solution fit_weighted(const PreparedProblem &problem, std::span<const double> source,
                                    std::span<const double> target, const Settings &settings,
                                    Control &control);

/** A fit of the weighted source alone: no target is read, and what the solution says of the target
 *  is the caller's to fill in. Objective, duality gap, iterations and termination are those of the
 *  problem that defines the weights. */
[[nodiscard]] Solution fit_source(const PublicSample &source, const Hyperparameters &hyper,
                                  const Weights &weights, const Settings &settings,
                                  Control &control);

/** The target's loss with a ridge towards the source's fit w_0,
 *
 *      (1/n) sum_i l(w, x_i, y_i) + (r/2) s ||w - w_0||^2,
 *
 *  s the mean curvature along a coordinate; of a falling sequence of r the one with the least loss
 *  of target rows that are left out one by one. Of the source only w_0 is read. Throws
 *  Error(DPA_E_OPTION) for a loss without one linear score. */
[[nodiscard]] Solution biased_ridge(const PreparedProblem &problem, const Settings &settings,
                                    Control &control);

/** Correlation alignment (CORAL; Sun, Feng and Saenko, 2016): source rows are mapped by (C_S +
 *  I)^(-1/2) (C_T + I)^(1/2), with the covariances of the features in preprocessed coordinates, so
 *  that they vary as target rows do, and a fit of the squared loss to them is the result. Labels of
 *  the target have no part. */
[[nodiscard]] Solution coral(const PreparedProblem &problem, const Settings &settings,
                             Control &control);

/** The same with the released second moments of the private target, and with the mean that stands
 *  in them beside the constant. */
[[nodiscard]] Solution fit_private_coral(const PrivateMoments &call, const Moments &target);

}  // namespace dpadapt::baseline
