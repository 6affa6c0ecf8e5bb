#pragma once

#include "linalg/arma.hpp"

namespace dpadapt::linalg {

/** argmin over ||y|| <= radius of gradient.(y - x) + 1/2 (y - x)'H(y - x); H positive semidefinite.
 *  A tiny ridge keeps directions that H does not see where they are. */
[[nodiscard]] arma::vec minimize_quadratic_in_ball(arma::mat h, const arma::vec &x,
                                                   const arma::vec &gradient, double radius);

}  // namespace dpadapt::linalg
