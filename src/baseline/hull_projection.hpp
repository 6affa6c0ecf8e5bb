#pragma once

#include <optional>

#include "base/control.hpp"
#include "baseline/kernel.hpp"

namespace dpadapt::baseline {

/** The weights of distinct rows on the simplex with sum_k q_k z_k z_k' = target for which the
 *  weights of the rows have the smallest 2-norm; nothing if there are none, or if Newton's
 *  method does not find them, or if the system of a step, of order d (d + 1)/2 + 1, would be too
 *  large.
 *
 *  The dual is smooth: q_k = copies_k max(0, nu + z_k'S z_k) for the (S, nu) that minimizes sum_k
 *  copies_k/2 max(0, nu + z_k'S z_k)^2 - <S, target> - nu. It is piecewise quadratic, so Newton's
 *  method ends after finitely many steps; a value below -1/2 proves that there are no such
 *  weights. */
[[nodiscard]] std::optional<arma::vec> project_on_hull(const DistinctRows &rows,
                                                       const arma::mat &target, std::size_t threads,
                                                       Control &control, std::int64_t &iterations);

}  // namespace dpadapt::baseline
