#pragma once

#include "private/public_terms.hpp"

namespace dpadapt {

/** What the Hessian metric depends on besides the public sample: public numbers. */
struct MetricGoal {
    double private_rows = 0.0;
    double noise = 0.0;     ///< deviation of the mean of all released mean gradients, in units of C
    double share = 1.0;     ///< of the private sample in the objective
    std::size_t steps = 0;  ///< of a running mean
    bool refined = false;   ///< whether private second moments will refine the metric
    bool far = false;       ///< whether steps must reach the target's own optimum, for intervals
};

/** The Hessian metric and the public Hessian in it. */
struct HessianMetric {
    Metric metric;
    arma::mat moments;
};

/** Of the mean public loss at the terms' predictor, in units of the loss's largest curvature. For
 *  several scores each record's Hessian by the scores is replaced by a bound of its norm. */
[[nodiscard]] arma::mat public_hessian(const PublicSample &sample, const PublicTerms &terms);

/** For linear scores: P = H + rho (tr H/d) I in units in which each feature's typical square is 1,
 *  with H the Hessian of the mean public loss at the anchor in units of the loss's largest
 *  curvature. For several scores each record's Hessian by the scores is replaced by a bound of its
 *  norm, so that P is no smaller.
 *
 *  rho is the option metric_ridge, by default 0.1, 1 for fewer than 2 public rows a parameter, 2 at
 *  the predictor zero and, without intervals, for two classes 1 or at most 4 medians of H, but 3 s
 *  at least. s is the share of a gradient's variance that noise and sampling error make up. In
 *  directions that the public rows lack rho is 1 at least. Where private second moments refine the
 *  metric it is as small, down to 1e-5, as the public fit needs to be within reach of that many
 *  steps, but s/10 at least. */
[[nodiscard]] HessianMetric make_hessian_metric(const PublicSample &sample,
                                                const PublicTerms &terms,
                                                const PrivacySettings &settings,
                                                const MetricGoal &goal);

/** The metric of linear scores in which that basis is orthonormal; start and clip bound follow.
 *  @param public_map  Gives public rows the second moments of private ones: by these the clip is
 *                     chosen.
 *  @param goal        For which it is chosen. */
[[nodiscard]] Metric metric_of_basis(const PublicSample &sample, const PublicTerms &terms,
                                     const PrivacySettings &settings, arma::mat map,
                                     arma::mat inverse, arma::mat public_map, const ClipGoal &goal);

/** P has the second moments of the public gradients at the public fit, up to 256 parameters as a
 *  full matrix, else its diagonal, in units in which the curvature of the mean public loss is 1: of
 *  a perceptron its largest, else its mean. The ridge is metric_ridge times the mean, in units of
 *  each coordinate's typical square. */
[[nodiscard]] Metric make_gradient_metric(const PublicSample &sample,
                                          const PrivacySettings &settings);

}  // namespace dpadapt
