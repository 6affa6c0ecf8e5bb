#pragma once

#include "problem/prepared_problem.hpp"

namespace dpadapt {

/** The metric of private steps, made from public rows alone: P = H + rho (tr H / d) I with H the public second
 *  moments, the Hessian of half the squared loss. In the coordinates v = P^(1/2) w a step needs no further
 *  preconditioner, and the noise of a release is spread as the public data are.
 *
 *  clip bounds a record's term in these coordinates: the given quantile of ||P^(-1/2) grad|| over the public rows
 *  at the public fit. */
struct PublicMetric {
    arma::mat inverse_root;    ///< P^(-1/2)
    arma::vec fit;             ///< public solution, P^(1/2) w
    double clip = 0.0;         ///< C
    double term_square = 0.0;  ///< mean of the squared norms of the clipped public terms
};

[[nodiscard]] PublicMetric make_public_metric(const PreparedProblem &problem, double rho,
                                              double clip_quantile);

}  // namespace dpadapt
