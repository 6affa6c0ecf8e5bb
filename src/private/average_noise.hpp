#pragma once

#include "private/metric.hpp"

namespace dpadapt {

/** Variance of a coordinate of the average of the last iterates of a descent with steps of length
 *  1, in units of that of the noise in one gradient: a mean over the directions of the metric, with
 *  the curvatures h that the mean public loss has in them. Where h is 1 the average of k iterates
 *  has 1/k; the flatter a direction, the longer its noise lives.
 *
 *  Clipped gradients of d features bring iterates back by sqrt(2/(pi d)) of the clip bound at most:
 *  records pull in their own directions, whose mean this is. If noise moves iterates by `force`
 *  times that in a step, force > 1, the pull of saturated gradients is that of a linear one with
 *  2/(1 + force^2) of the curvature; force^-4 is taken, to be safe.
 *
 *  @param pushed  Norm of the noise in a step, in clip bounds.
 */
[[nodiscard]] double noise_of_average(const Metric &metric, const PublicSample &sample,
                                      std::uint64_t steps, std::uint64_t averaged, double pushed);

}  // namespace dpadapt
