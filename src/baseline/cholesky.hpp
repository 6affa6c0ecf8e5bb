#pragma once

#include "linalg/arma.hpp"

namespace dpadapt::baseline {

/** Overwrites the lower triangle of a symmetric matrix with its Cholesky factor, tile by tile, so
 *  that threads share the work and do not change a bit of it. False if the matrix is not positive
 *  definite. */
[[nodiscard]] bool factor_cholesky(arma::mat &a, std::size_t threads);

/** Solution of A x = b from the factor. */
[[nodiscard]] arma::vec solve_cholesky(const arma::mat &factor, arma::vec b);

}  // namespace dpadapt::baseline
