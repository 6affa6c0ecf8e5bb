#pragma once

#include <span>

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

}  // namespace dpadapt::baseline
