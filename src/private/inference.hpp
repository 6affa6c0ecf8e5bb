#pragma once

#include "private/metric.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt {

/** Mean of points and of the noisy gradients released there. */
struct StepMean {
    arma::vec v;
    arma::vec gradient;
    double count = 0.0;

    void add(const arma::vec &at, const arma::vec &released);
};

/** The target's own estimate and its covariance, after the steps: the mean of some steps' points
 *  less what Newton's method makes of the mean of their noisy gradients. Where gradients are linear
 *  that is the root of the mean clipped gradient, whatever the metric, the shrinkage and the steps
 *  before, plus noise of known size.
 *
 *  Curvature H and mean square M of the clipped gradients at the last point are two releases, each
 *  with the sensitivity of a sum of outer products. What noise explains of their difference from
 *  the source's own is taken back. All else is post-processing.
 *
 *  The source's estimate, for the difference of the domains, is the root of the same function. */
[[nodiscard]] Inference infer_privately(const PrivateRun &run, const records::Reader &rows,
                                        const Metric &metric, const StepMean &mean,
                                        const arma::vec &last);

}  // namespace dpadapt
