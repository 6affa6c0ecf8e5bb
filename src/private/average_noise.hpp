#pragma once

#include "private/metric.hpp"

namespace dpadapt {

/** Variance of a coordinate of the average of the last iterates of a descent with steps of length
 *  1, in units of that of the noise in one gradient: a mean over the directions of the metric, with
 *  the curvatures h that the mean public loss has in them. Where h is 1 the average of k iterates
 *  has 1/k; the flatter a direction, the longer its noise lives. */
[[nodiscard]] double noise_of_average(const Metric &metric, const PublicSample &sample,
                                      std::uint64_t steps, std::uint64_t averaged);

}  // namespace dpadapt
