#pragma once

#include "private/metric.hpp"

namespace dpadapt {

/** P has the second moments of the public gradients at the public fit, up to 256 parameters as a
 *  full matrix, else its diagonal, in units in which the curvature of the mean public loss is 1: of
 *  a perceptron its largest, else its mean. The ridge is metric_ridge times the mean, in units of
 *  each coordinate's typical square. */
[[nodiscard]] Metric make_gradient_metric(const PublicSample &sample,
                                          const PrivacySettings &settings);

}  // namespace dpadapt
