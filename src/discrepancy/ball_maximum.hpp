#pragma once

#include <vector>

#include "discrepancy/certified.hpp"
#include "discrepancy/estimate.hpp"
#include "linalg/arma.hpp"

namespace dpadapt {

/** Where a quadratic is largest in a ball, and the multiplier of the ball. */
template <typename Real>
struct BallMaximum {
    std::vector<Real> x;
    Real multiplier = 0.0;
};

/** Eigenvalues and, column after column, eigenvectors. */
struct Eigenbasis {
    std::vector<DoubleDouble> values;
    std::vector<DoubleDouble> vectors;
};

/** Eigendecomposition in double-word precision by cyclic Jacobi rotations. */
[[nodiscard]] Eigenbasis decompose_by_jacobi(const arma::mat &symmetric);

/** Maximum of sign * (x'Ax + 2 b.x) over ||x|| <= radius, radius > 0, from the eigenbasis of A.
 *
 *  The method of linalg::minimize_secular, hard case included, with bisection: slower, but the
 *  second level of a certificate is rarely needed. Nothing here is proven; what is found is
 *  certified afterwards. */
[[nodiscard]] BallMaximum<DoubleDouble> maximize_in_ball(const Eigenbasis &basis,
                                                         const arma::vec &b, double sign,
                                                         double radius);

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
