#pragma once

#include <optional>

#include "linalg/arma.hpp"

namespace dpadapt::linalg {

/** Solution of (H + ridge diag(H)) x = b for a positive semidefinite H, after scaling to unit
 *  diagonal, so that units of measurement do not matter; nothing when the scaled matrix is not
 *  safely positive definite. */
[[nodiscard]] std::optional<arma::vec> solve_scaled(const arma::mat &h, const arma::vec &b,
                                                    double ridge);

/** The same with columns of these sizes. */
[[nodiscard]] std::optional<arma::vec> solve_scaled(const arma::mat &h, const arma::vec &b,
                                                    double ridge, arma::vec size);

}  // namespace dpadapt::linalg
