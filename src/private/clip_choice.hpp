#pragma once

#include "private/metric.hpp"
#include "private/public_terms.hpp"

namespace dpadapt {

/** What a clip is weighed against: public numbers. */
struct ClipGoal {
    double records = 0.0;  ///< private ones
    double noise = 0.0;    ///< deviation of the mean of all mean gradients, in units of C; 0: none
};

struct ClipChoice {
    double quantile = 1.0;
    double moved = 0.0;  ///< squared distance by which clips move the public fit, as
                         ///< far as slopes are bounded
};

/** The quantile of the public gradients' norms at which clips lead to the least error: that of the
 *  option, or a larger one. With noise, sampling variance S(C) and what clips move the mean
 *  gradient of the public fit, b(C), the squared error of the estimate is
 *  (d noise^2 C^2 + S(C)/n + |b(C)|^2) / h(C)^2, where h(C) is the part of the curvature that is
 *  not clipped. Where few records pull one way, as those of a rare class do, a clip of all of them
 *  would move the fit. Of the squared loss, whose slopes have no bound, only noise is weighed, and
 *  against what of b(C) is not chance.
 *
 *  @param norms  Of the public gradients in that metric.
 *  @param rows   Of the public records in it. */
[[nodiscard]] ClipChoice choose_clip(const PublicSample &sample, const PublicTerms &terms,
                                     const Metric &metric, const std::vector<double> &norms,
                                     const std::vector<double> &rows, double least,
                                     const ClipGoal &goal);

}  // namespace dpadapt
