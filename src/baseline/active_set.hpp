#pragma once

#include "baseline/box_program.hpp"

namespace dpadapt::baseline {

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
