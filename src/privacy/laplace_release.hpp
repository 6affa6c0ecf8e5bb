#pragma once

#include <cstdint>

namespace dpadapt::privacy {

/** The grid of a released number. Neighbours' values, at most `sensitivity` apart, become integers
 *  at most `most` apart, and noise floor(2^bits L), L standard Laplace, makes their release
 *  certified_epsilon()-private: a ratio of integers, exact. */
struct LaplaceGrid {
    int bits = 32;
    std::int64_t most = 0;  ///< K, sensitivity in grid units
    double unit = 0.0;      ///< g, sensitivity / K rounded up

    [[nodiscard]] double scale() const;
    [[nodiscard]] double certified_epsilon() const;
};

/** Grid for a release that may cost epsilon: K = floor(epsilon 2^bits), so certified_epsilon() <=
 *  epsilon. Throws Error(DPA_E_OPTION) unless 2^10 <= K < 2^53 and the unit is a normal number,
 *  which public numbers alone decide. */
[[nodiscard]] LaplaceGrid plan_laplace(double epsilon, double sensitivity, int bits);

/** clamp(g (floor(value / g) + noise + 1/2), 0, bound), with value clamped to [0, bound] first and
 *  noise = floor(2^bits L). The one place where the value leaves: afterwards everything is
 *  post-processing. Throws Error(DPA_E_OPTION) when bound / g exceeds 2^62: public numbers again.
 *
 *  The quotient is floor of the exact ratio of two doubles, not of a rounded one, and g K >=
 *  sensitivity exactly; hence |value - value'| <= sensitivity implies, without any allowance for
 *  rounding, |floor(value / g) - floor(value' / g)| <= ceil(|value - value'| / g) <= K. (A rounded
 *  quotient near 2^62 is off by up to 2^8, which would have to be paid for by a larger tau.) */
[[nodiscard]] double release_laplace(double value, double bound, const LaplaceGrid &grid,
                                     std::int64_t noise);

/** floor(value / unit), exact; 0 <= value <= 2^62 unit. */
[[nodiscard]] std::int64_t floor_quotient(double value, double unit);

}  // namespace dpadapt::privacy
