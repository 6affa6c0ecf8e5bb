#pragma once

#include <optional>

#include "base/control.hpp"
#include "baseline/weights.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt::baseline {

struct MatchingOptions {
    std::optional<double> gamma;          ///< of the kernel; default_gamma() if absent
    double weight_bound = 1000.0;         ///< B
    std::optional<double> sum_tolerance;  ///< epsilon; (sqrt m - 1) / sqrt m if absent
};

/** Kernel mean matching (Huang, Smola, Gretton, Borgwardt and Schoelkopf 2006): the weights b whose
 *  weighted mean of the source rows is nearest to the mean of the target rows in the Gaussian
 *  kernel's space, b of mean about 1,
 *
 *      min 1/2 b'Kb - kappa'b,  0 <= b_i <= B,  |sum b - m| <= m epsilon,  kappa_i = (m/n) sum_j
 *      k(x_i, x'_j).
 *
 *  q is b / sum b; equal rows get equal weights. Objective and gap are those of b, and the gap is
 *  computed with the exact kernel over all rows. A minimizer to this gap rests on few rows that are
 *  not at a bound, so the problem is solved on a changing set of them, by the active set method
 *  with a proximal ridge (many weights may have the same objective); no matrix over all rows is
 *  ever formed. Only the objective is unique where K is singular. Throws Error(DPA_E_OPTION) if the
 *  bounds exclude every b, Error(DPA_E_NUMERICAL) if no source row is within the kernel's reach of
 *  a target row. */
[[nodiscard]] Weights kernel_mean_matching(const PreparedSample &source,
                                           const PreparedSample &target,
                                           const MatchingOptions &options, const Limits &limits,
                                           Control &control);

struct LikelihoodOptions {
    /// of the kernel; the best of gamma_grid() by cross-validation if absent
    std::optional<double> gamma;
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
    Weights certificate;  ///< without weights
};

/** Maximizes sum_j weight_j log (P shares)_j over the simplex; weights sum to 1, P >= 0 without a
 *  row of zeros. Stops at gap <= tolerance, absolute. */
[[nodiscard]] Mixture maximize_likelihood(const arma::mat &p, const arma::vec &weight,
                                          const Limits &limits, Control &control);

struct LeastSquaresOptions {
    std::optional<double> gamma;   ///< of the kernel; one of gamma_grid() if absent
    std::optional<double> lambda;  ///< penalty; one of 10^-3, 10^-2.5, .., 10 if absent
    double relative_alpha = 0.0;   ///< in [0, 1)
    std::size_t centers = 100;
    std::uint64_t seed = 0;  ///< of centers and left-out pairs; not for privacy
};

/** Least-squares importance fitting: uLSIF (Kanamori, Hido and Sugiyama 2009) for relative_alpha =
 *  0, else RuLSIF (Yamada, Suzuki, Kanamori, Hachiya and Sugiyama 2011), whose target is p_t /
 *  (alpha p_t + (1 - alpha) p_s) and never above 1 / alpha. w(x) = sum_l max(0, theta_l) k(x, c_l),
 *  with theta the minimizer of
 *
 *      1/2 theta'H theta - h'theta + lambda/2 ||theta||^2,
 *
 *  h and H the means of psi and of alpha psi psi' + (1 - alpha) phi phi' for psi, phi the kernel
 *  vectors of target and source rows. Objective and gap are those of theta before the clip. What is
 *  absent of gamma and lambda is selected by the exact leave-one-out score: source row i and target
 *  row i are left out together, i = 1 .. min(m, n), in random order. With a single row there is
 *  nothing to leave out: the default gamma and lambda = 0.1. */
[[nodiscard]] RatioFit ulsif(const PreparedSample &source, const PreparedSample &target,
                             const LeastSquaresOptions &options, const Limits &limits,
                             Control &control);

/** Discrepancy minimization (Mansour, Mohri, Rostamizadeh 2009; Cortes, Mohri 2014) for the squared
 *  loss and linear predictors: minimizes ||M(q)||_2, M(q) = target_second - sum_i q_i z_i z_i',
 *  over the simplex. target_second is the mean of z z' over the target, or a noisy version of it,
 *  which need not be semidefinite.
 *
 *  Many q are often optimal, so the solution is made unique: it is the one of smallest ||q||_2.
 *  When the minimum is 0 and d (d + 1)/2 is at most 1300 it is found exactly; otherwise by
 *  minimizing ||M(q)||_2 + tau/2 ||q||_2^2, tau half the tolerance. Equal rows have equal weights,
 *  and the order of the rows does not matter.
 *
 *  objective is ||M(q)||_2; duality_gap is its distance to the largest lower bound found: 0, and
 *  (<S, target_second> - max_i z_i'S z_i) / ||S||_* for symmetric S with a positive numerator,
 *  ||S||_* the sum of the sizes of the eigenvalues. The tolerance is relative to the larger of
 *  ||target_second||_2 and the smallest ||z_i||^2. Where it is not reached, the gap says how much
 *  is certain. limits.iterations bounds the Newton steps; 0 leaves the choice to the method. */
[[nodiscard]] Weights minimize_discrepancy(const PreparedSample &source,
                                           const arma::mat &target_second, const Limits &limits,
                                           Control &control);

}  // namespace dpadapt::baseline
