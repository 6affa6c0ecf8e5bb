#pragma once

#include "base/control.hpp"
#include "baseline/banded_box.hpp"

namespace dpadapt::baseline {

struct BoxMinimum {
    arma::vec x;
    double nu = 0.0;  ///< multiplier of the sum
    std::size_t iterations = 0;
};

/** Minimizes 1/2 x'Kx - kappa'x over the box to a duality gap of at most `gap`, up to rounding:
 *  primal-dual interior point method (Mehrotra's predictor and corrector), one factorization of K +
 *  diagonal an iteration. K must be positive semidefinite; x is the start, inside, as is the
 *  minimum found. */
[[nodiscard]] BoxMinimum minimize_quadratic(const BandedBox &box, const arma::mat &k,
                                            const arma::vec &kappa, const arma::vec &x, double gap,
                                            std::size_t threads, Control &control);

}  // namespace dpadapt::baseline
