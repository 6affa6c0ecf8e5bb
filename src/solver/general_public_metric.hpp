#pragma once

#include "solver/general_metric.hpp"

namespace dpadapt {

/** P is the Hessian of the mean public loss at the public fit, for linear scores; each record's
 *  Hessian by the scores is replaced by a bound of its norm, so that for several scores P is no
 *  smaller.
 *
 *  The ridge of both metrics is metric_ridge times the mean of what the features, or gradients,
 *  have in their own units: it does not change with those units, and it holds back coordinates that
 *  few public records have. */
[[nodiscard]] GeneralMetric hessian_metric(const PublicSample &sample,
                                           const PrivacySettings &settings);

/** P has the second moments of the public gradients at the public fit, up to 256 parameters as a
 *  full matrix, else its diagonal, in units in which the curvature of the mean public loss is 1: of
 *  a perceptron its largest, else its mean. */
[[nodiscard]] GeneralMetric gradient_metric(const PublicSample &sample,
                                            const PrivacySettings &settings);

}  // namespace dpadapt
