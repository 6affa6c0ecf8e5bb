#pragma once

#include "linalg/trust_region.hpp"
#include "problem/private_problem.hpp"

namespace dpadapt {

/** The metric of private steps. In its coordinates, zeta = map z for records and w = map' v for
 *  predictors, a step needs no further preconditioner, and the noise of a release is spread as the
 *  records are.
 *
 *  clip bounds a record's term in these coordinates: a quantile of the norms of the public records'
 *  terms at the public fit. */
struct Metric {
    arma::mat map;
    arma::mat inverse;         ///< v = inverse w
    linalg::Spectrum matrix;   ///< P = inverse' inverse, the metric in w
    arma::vec start;           ///< public solution, in v
    double clip = 0.0;         ///< C
    double term_square = 0.0;  ///< mean of the squared norms of the clipped public terms

    /** Nearest point, in this metric, of the ball ||w|| <= radius. */
    [[nodiscard]] arma::vec project(const arma::vec &v, double radius) const;
};

/** The metric in which that basis, of the old coordinates, is orthonormal; the clip bound follows
 *  the public records. */
[[nodiscard]] Metric change_metric(const PrivateProblem &problem, const PrivacySettings &settings,
                                   arma::mat map, arma::mat inverse);

/** A metric from public records alone, with the spectrum of their second moments H in it: P = H +
 *  rho (tr H / d) I.
 *
 *  rho = 0.1 unless the metric is to be refined by private second moments; then it is as small,
 *  down to 1e-5, as the public fit needs to be within reach of that many steps, but at least a
 *  tenth of the share of a gradient's variance that noise and sampling error make up. `noise` is
 *  the deviation of a released mean gradient in units of C. */
struct PublicMetric {
    Metric metric;
    arma::vec moments;  ///< of the public records, diagonal in these coordinates
};
[[nodiscard]] PublicMetric make_public_metric(const PrivateProblem &problem,
                                              const PrivacySettings &settings, double noise,
                                              double private_rows, std::size_t steps, bool refined);

/** Without a public sample P is the square of the records' bound times the identity, an upper bound
 *  of the Hessian. */
[[nodiscard]] Metric make_metric_without_data(const PrivateProblem &problem,
                                              const PrivacySettings &settings);

}  // namespace dpadapt
