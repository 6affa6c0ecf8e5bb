#pragma once

#include "base/control.hpp"
#include "linalg/arma.hpp"

namespace dpadapt::baseline {

/** Overwrites the lower triangle of a symmetric matrix with its Cholesky factor, tile by tile, so
 *  that threads share the work and do not change a bit of it. False if the matrix is not positive
 *  definite. */
[[nodiscard]] bool factor_cholesky(arma::mat &a, std::size_t threads);

/** Solution of A x = b from the factor. */
[[nodiscard]] arma::vec solve_cholesky(const arma::mat &factor, arma::vec b);

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

/** A point, its multiplier of the sum, and how well the program has to be solved from there. */
struct ProximalStart {
    arma::vec x;
    double nu = 0.0;
    double ridge = 0.0;      ///< > 0
    double slope = 0.0;      ///< that a coordinate at a bound may have towards the inside
    std::int64_t steps = 0;  ///< at most
};

/** Minimizes 1/2 x'Kx - kappa'x + ridge/2 |x - start|^2 over the box by the primal-dual active set
 *  method, which is Newton's method on the conditions of optimality: a step solves the system of
 *  the coordinates inside, then fixes those at their bounds that went beyond, and frees those that
 *  the multipliers send inside. A step needs one factorization of the coordinates inside; few are
 *  taken to the exact minimum, but they need not end: x is empty then. Each step is reported as
 *  the next iteration of the progress. */
[[nodiscard]] BoxMinimum minimize_active_set(const BandedBox &box, const arma::mat &k,
                                             const arma::vec &kappa, const ProximalStart &start,
                                             Progress &progress, std::size_t threads,
                                             Control &control);

}  // namespace dpadapt::baseline
