#pragma once

#include "base/control.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt {

/** DCA (Tao and An, 1998) for the minimum of 1/2 x'Hx + g'x over ||x|| <= radius, as in the paper:
 *      x <- Proj( x - (Hx + g)/rho ),  rho >= largest eigenvalue of H, rho > 0.
 *  It stops at a KKT point, which need not be a minimum. Then, with multiplier lambda and u a
 *  direction of negative curvature of H + lambda I, the reflection x - 2 (u.x) u keeps the norm and
 *  lowers the value, and DCA starts again from there, until H + lambda I is positive semidefinite:
 *  a global minimum. */
[[nodiscard]] linalg::TrustRegionMinimum minimize_by_dca(const linalg::Spectrum &h,
                                                         const arma::vec &g, double radius,
                                                         Control &control);

}  // namespace dpadapt
