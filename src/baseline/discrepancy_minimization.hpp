#pragma once

#include "base/control.hpp"
#include "baseline/weights.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt::baseline {

/** Discrepancy minimization (Mansour, Mohri, Rostamizadeh 2009; Cortes, Mohri 2014) for the squared
 *  loss and linear predictors: minimizes ||M(q)||_2, M(q) = target_second - sum_i q_i z_i z_i',
 *  over the simplex. target_second is the mean of z z' over the target, or a noisy version of it,
 *  which need not be semidefinite.
 *
 *  Many q are often optimal, so the solution is made unique: it is the one of smallest ||q||_2.
 *  When the minimum is 0 and d (d + 1)/2 is at most 1300 it is found exactly; otherwise by
 *  minimizing ||M(q)||_2 + tau/2 ||q||_2^2, tau half the tolerance. Equal rows have equal weights,
 *  and the order of the rows does not matter.
 *
 *  objective is ||M(q)||_2; duality_gap is its distance to the largest lower bound found: 0, and
 *  (<S, target_second> - max_i z_i'S z_i) / ||S||_* for symmetric S with a positive numerator,
 *  ||S||_* the sum of the sizes of the eigenvalues. The tolerance is relative to the larger of
 *  ||target_second||_2 and the smallest ||z_i||^2. Where it is not reached, the gap says how much
 *  is certain. limits.iterations bounds the Newton steps; 0 leaves the choice to the method. */
[[nodiscard]] Weights minimize_discrepancy(const PreparedSample &source,
                                           const arma::mat &target_second, const Limits &limits,
                                           Control &control);

}  // namespace dpadapt::baseline
