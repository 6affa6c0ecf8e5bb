#pragma once

#include "base/control.hpp"
#include "baseline/weights.hpp"
#include "linalg/arma.hpp"

namespace dpadapt::baseline {

struct Mixture {
    arma::vec shares;
    double value = 0.0;
    double gap = 0.0;
    std::int64_t iterations = 0;
    Termination termination = Termination::converged;
};

/** Maximizes sum_j weight_j log (P shares)_j over the simplex; weights sum to 1, P >= 0 without a
 *  row of zeros. Stops at gap <= tolerance, absolute. */
[[nodiscard]] Mixture maximize_likelihood(const arma::mat &p, const arma::vec &weight,
                                          const Limits &limits, Control &control);

}  // namespace dpadapt::baseline
