#pragma once

#include "linalg/arma.hpp"

namespace dpadapt::baseline {

/** 0 <= x <= upper, least <= sum x <= most. */
struct BandedBox {
    arma::vec upper;
    double least = 0.0;
    double most = 0.0;
};

/** argmin of g . v over the box, and the multiplier nu of its sum: v_i is 0 where g_i + nu > 0 and
 *  at its upper bound where g_i + nu < 0. Of equal g_i those of lowest index come first. */
struct LinearMinimum {
    arma::vec v;
    double nu = 0.0;
};
[[nodiscard]] LinearMinimum minimize_linear(const BandedBox &box, const arma::vec &g);

/** Whether some x is strictly inside, and the nearest one to `x` up to a shift of all
 *  coordinates. */
[[nodiscard]] bool move_inside(const BandedBox &box, arma::vec &x);

}  // namespace dpadapt::baseline
