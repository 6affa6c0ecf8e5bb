#pragma once

#include "private/metric.hpp"

namespace dpadapt {

/** Quantile of the chi-squared distribution of d degrees of freedom, at z standard deviations of a
 *  normal one (Wilson and Hilferty, 1931). */
[[nodiscard]] double chi_squared(double d, double z);

/** Whether noise of that variance of a coordinate explains a difference, at z deviations. */
[[nodiscard]] inline bool explains(double variance, const arma::vec &difference, double z) {
    return arma::dot(difference, difference) <=
           variance * chi_squared(static_cast<double>(difference.n_elem), z);
}

/** How well a difference from the anchor is known: variances of a coordinate. */
struct ShiftVariance {
    double estimate = 0.0;  ///< of the private estimate: noise and sampling
    double anchor = 0.0;    ///< of the anchor: sampling
    double record = 0.0;    ///< of one record without noise
};

/** The shift between the domains' optima, estimated as a difference from the anchor, moved to zero
 *  as far as errors can explain it: a thresholded James-Stein rule, for the intercepts and for
 *  everything else apart, because the mean often moves when nothing else does. A shift that is
 *  set to zero is pooled: the two optima are then one, and each estimate counts by its variance.
 *
 *  Where the private sample is the source, the roles are exchanged: the anchor is the target's own
 *  fit, and the estimate is of the other domain. It counts by its variance and by that of the
 *  shift, so that the more the domains differ, the less of it is taken. */
class ShiftRule {
  public:
    /** @param estimated   The domain whose optimum is estimated.
     *  @param deviations  of noise that a difference must exceed at most; fewer where a false
     *                     alarm costs little; 0: every difference is kept. */
    ShiftRule(const Metric &metric, bool intercept, privacy::Domains estimated, double deviations);

    struct Shrunken {
        arma::vec shift;
        double share = 0.0;  ///< of the directions without intercept
    };
    [[nodiscard]] Shrunken operator()(const arma::vec &difference,
                                      const ShiftVariance &variance) const;

  private:
    [[nodiscard]] double threshold(double parameters, const ShiftVariance &variance) const;
    [[nodiscard]] double factor(double square, double dimension, const ShiftVariance &variance,
                                double deviations) const;

    privacy::Domains estimated_;
    arma::uword blocks_;
    arma::vec intercept_;  ///< its direction in a block, of norm 1; empty: not apart
    double deviations_;
};

/** Evidence, in released gradients alone, that private records counted. Were all of them zeros,
 *  each gradient would be its noise, wherever it was taken. Where they count it has a mean, -w, and
 *  grows with the way u_t from the start, as far as the metric has the Hessian: g_t = h u_t - w +
 *  noise. The ratio of the two likelihoods, averaged over h and over a normal w of several
 *  deviations, has the mean 1 if all records are zeros, however the gradients before have led to
 *  the u_t; so it then exceeds 10^k with probability 10^-k at most (Ville's inequality). */
class Evidence {
  public:
    /** @param variance  of the noise in a coordinate of a gradient. */
    Evidence(arma::vec start, double variance);

    void see(const arma::vec &v, const arma::vec &gradient);

    /** The common logarithm of that ratio. */
    [[nodiscard]] double operator()() const;

  private:
    [[nodiscard]] double log_ratio(double h, double spread) const;

    arma::vec start_;
    double variance_;
    double steps_ = 0.0;
    arma::vec gradients_;  ///< sum of g_t
    arma::vec ways_;       ///< sum of u_t
    double along_ = 0.0;   ///< sum of g_t . u_t
    double square_ = 0.0;  ///< sum of |u_t|^2
};

}  // namespace dpadapt
