#pragma once

#include "private/metric.hpp"

namespace dpadapt {

/** Variance of a coordinate of the average of the last iterates of a descent with steps of length
 *  1, in units of that of the noise in one gradient: a mean over the directions of the metric, with
 *  the curvatures h that the mean public loss has in them. Where h is 1 the average of k iterates
 *  has 1/k; the flatter a direction, the longer its noise lives.
 *
 *  Clipped gradients bring iterates back by the clip bound at most. If noise moves them by `force`
 *  times that bound in a step, force > 1, the pull of saturated gradients is that of a linear one
 *  with 2/(1 + force^2) of the curvature; force^-4 is taken, to be safe. */
[[nodiscard]] double noise_of_average(const Metric &metric, const PublicSample &sample,
                                      std::uint64_t steps, std::uint64_t averaged, double force);

}  // namespace dpadapt
