#pragma once

#include "private/metric.hpp"

namespace dpadapt {

/** Quantile of the chi-squared distribution of d degrees of freedom, at z standard deviations of a
 *  normal one (Wilson and Hilferty, 1931). */
[[nodiscard]] double chi_squared(double d, double z);

/** How well a difference from the anchor is known: variances of a coordinate. */
struct ShiftVariance {
    double estimate = 0.0;  ///< of the private estimate: noise and sampling
    double anchor = 0.0;    ///< of the anchor: sampling
    double record = 0.0;    ///< of one record without noise
};

/** The shift between the domains' optima, estimated as a difference from the anchor, moved to zero
 *  as far as errors can explain it: a thresholded James-Stein rule, for the intercepts and for
 *  everything else apart, because the mean often moves when nothing else does. What is believed to
 *  be no shift is pooled: the two optima are then one, and each estimate counts by its variance.
 *
 *  Where the private sample is the source, the roles are exchanged: the anchor is the target's own
 *  fit, and the estimate is of the other domain. It counts by its variance and by that of the
 *  shift, so that the more the domains differ, the less of it is taken. */
class ShiftRule {
  public:
    /** @param estimated   The domain whose optimum is estimated.
     *  @param deviations  of noise that a difference must exceed at most; fewer where a false
     *                     belief costs little; 0: every difference is believed. */
    ShiftRule(const Metric &metric, bool intercept, privacy::Domains estimated, double deviations);

    struct Kept {
        arma::vec shift;
        double share = 0.0;  ///< of the directions without intercept
    };
    [[nodiscard]] Kept operator()(const arma::vec &difference, const ShiftVariance &variance) const;

  private:
    [[nodiscard]] double threshold(double parameters, const ShiftVariance &variance) const;
    [[nodiscard]] double kept(double square, double dimension, const ShiftVariance &variance,
                              double deviations) const;

    privacy::Domains estimated_;
    arma::uword blocks_;
    arma::vec intercept_;  ///< its direction in a block, of norm 1; empty: not apart
    double deviations_;
};

}  // namespace dpadapt
