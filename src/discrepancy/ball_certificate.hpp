#pragma once

#include "discrepancy/ball_maximum.hpp"
#include "discrepancy/difference.hpp"

namespace dpadapt {

template <typename Real>
struct Interval {
    Real lower = 0.0;
    Real upper = 0.0;
};

/** Proven bounds of the maximum of sign * (x'Ax + 2 b.x + c) over ||x|| <= radius, whatever was
 *  found: close ones from an approximate maximum, wide or infinite ones (or NaN, on overflow) from
 *  anything else. A must be symmetric; Real is double or DoubleDouble. */
template <typename Real>
[[nodiscard]] Interval<Real> certify_maximum(const LossDifference &difference, double sign,
                                             double radius, BallMaximum<Real> found);

}  // namespace dpadapt
