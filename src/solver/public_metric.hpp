#pragma once

#include "linalg/trust_region.hpp"
#include "problem/private_problem.hpp"

namespace dpadapt {

/** The metric of private steps, made from public rows alone: P = H + rho (tr H / d) I with H the public second
 *  moments, the Hessian of half the squared loss. In the coordinates v = P^(1/2) w a step needs no further
 *  preconditioner, and the noise of a release is spread as the public data are. Without a public sample P is the
 *  square of the records' bound times the identity, an upper bound of the Hessian.
 *
 *  clip bounds a record's term in these coordinates: the given quantile of ||P^(-1/2) grad|| over the public rows
 *  at the public fit. */
struct PublicMetric {
    linalg::Spectrum matrix;   ///< P
    arma::mat inverse_root;    ///< P^(-1/2)
    arma::vec fit;             ///< public solution, P^(1/2) w
    double clip = 0.0;         ///< C
    double term_square = 0.0;  ///< mean of the squared norms of the clipped public terms

    /** Nearest point, in this metric, of the ball ||w|| <= radius. */
    [[nodiscard]] arma::vec project(const arma::vec &v, double radius) const;
};

[[nodiscard]] PublicMetric make_public_metric(const PrivateProblem &problem,
                                              const PrivacySettings &settings);

}  // namespace dpadapt
