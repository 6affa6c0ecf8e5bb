#pragma once

#include <cstdint>
#include <optional>

#include "privacy/privacy_curve.hpp"

namespace dpadapt::privacy {

constexpr double kMostPureEpsilon = 300.0;

// Every result is on the safe side, and every function throws Error(DPA_E_INVALID_ARGUMENT) that
// names an argument outside the range in which the rounding errors of the closed form are known:
// |epsilon| <= 600, laplace_epsilon <= 300, pure_epsilon <= 300, mu <= 50, delta = 0 or >= 1e-300.

/** Smallest delta at epsilon, rounded up. */
[[nodiscard]] double delta(double epsilon, const Totals &totals);

/** Whether the releases are proven (epsilon, delta)-differentially private; releases beyond those
 *  ranges never are. */
[[nodiscard]] bool holds(double epsilon, double delta, const Totals &totals);

/** Smallest epsilon >= 0 at delta, rounded up; an error if that is above 600. */
[[nodiscard]] double epsilon(double delta, const Totals &totals);

/** The releases for that many records of one person, which move them that many times as far;
 *  rounded up; of sampled releases nothing is known for more than one record. Throws
 *  Error(DPA_E_INVALID_ARGUMENT) for no record. */
[[nodiscard]] Totals totals_of_group(const Totals &totals, std::int64_t records);

/** The same, or nothing where there is none within the accountant's range. */
[[nodiscard]] std::optional<double> known_epsilon(double delta, const Totals &totals);

/** Largest mu that the other releases leave for Gaussian ones at (epsilon, delta), rounded down;
 *  others.mu is not used. An error if not even 1e-8 is left. */
[[nodiscard]] double mu(double epsilon, double delta, const Totals &others);

/** Scaled complementary error function e^(x^2) erfc(x) for finite x >= 0, relative error below
 *  1e-15.
 *
 *  (1 + 2x) erfcx(x) lies between 1 and 1.2 on the half-line, which t = (x - 4)/(x + 4) maps to
 *  [-1, 1); the table holds its Chebyshev coefficients in t. They are discrete cosine sums over 80
 *  Chebyshev nodes of values with 50 digits; those left out sum to 4e-19. */
[[nodiscard]] double erfcx(double x) noexcept;

}  // namespace dpadapt::privacy
