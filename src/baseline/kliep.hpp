#pragma once

#include <optional>

#include "base/control.hpp"
#include "baseline/weights.hpp"
#include "linalg/arma.hpp"

namespace dpadapt::baseline {

struct LikelihoodOptions {
    std::optional<double>
        gamma;  ///< of the kernel; the best of gamma_grid() by cross-validation if absent
    std::size_t centers = 100;
    std::uint64_t seed = 0;  ///< of centers and folds; not for privacy
};

/** Importance estimation by the Kullback-Leibler divergence (KLIEP; Sugiyama, Nakajima, Kashima,
 *  von Buenau and Kawanabe 2007): w(x) = sum_l a_l k(x, c_l) with
 *
 *      max (1/n) sum_j log w(x'_j),  (1/m) sum_i w(x_i) = 1,  a >= 0.
 *
 *  With the shares beta_l = a_l mean_i k(x_i, c_l) this is the likelihood of mixture proportions:
 *  expectation maximization first, then Newton steps, each a quadratic program over beta >= 0. The
 *  duality gap, an absolute one here, is max_l r_l - 1 for r the slopes by beta. gamma is selected
 *  by the held-out log w over 5 folds of the target rows. Throws Error(DPA_E_NUMERICAL) if w is 0
 *  at some target row for all a: no overlap. */
[[nodiscard]] RatioFit kliep(const PreparedSample &source, const PreparedSample &target,
                             const LikelihoodOptions &options, const Limits &limits,
                             Control &control);

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
