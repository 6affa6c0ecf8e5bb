#pragma once

#include <vector>

#include "discrepancy/double_double.hpp"
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

}  // namespace dpadapt
