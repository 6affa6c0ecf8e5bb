#pragma once

namespace dpadapt::privacy {

/** Totals of composed releases: Laplace by the sum of their epsilons, Gaussian by the root of the
 *  summed squares of sensitivity/sigma, any other pure ones by the sum of their epsilons.
 *  Two Laplace releases are dominated by one with the sum of their epsilons. */
struct Totals {
    double laplace_epsilon = 0.0;
    double mu = 0.0;
    double pure_epsilon = 0.0;
    double failure = 0.0;  ///< probability with which nothing is promised, of sampled releases
};

/** Smaller positive mu are counted as this one: the closed form divides by mu, and its rounding
 *  errors grow with 1/mu. */
constexpr double kLeastMu = 1e-8;

/** Smallest delta for which the releases are (epsilon, delta)-differentially private, rounded up,
 *  for any finite epsilon; 0 only where it is exactly that. */
[[nodiscard]] double upper_delta(double epsilon, const Totals &totals) noexcept;

}  // namespace dpadapt::privacy
