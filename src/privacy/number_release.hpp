#pragma once

#include <cstdint>

namespace dpadapt::privacy {

/** The grid of a released number. Neighbours' values, at most `sensitivity` apart, become integers
 *  at most `most` apart. Noise floor(2^bits L), L standard Laplace, makes their release
 *  epsilon-private, and floor(2^bits Z), Z standard normal, mu-GDP, with epsilon or mu the
 *  certified_price(): a ratio of integers, exact. */
struct NumberGrid {
    int bits = 32;
    std::int64_t most = 0;  ///< K, sensitivity in grid units
    double unit = 0.0;      ///< g, sensitivity / K rounded up

    [[nodiscard]] double scale() const;
    [[nodiscard]] double certified_price() const;
};

/** Grid for a release with K units of sensitivity. Throws Error(DPA_E_OPTION) unless 2^10 <= K <
 *  2^53 and the unit is a normal number, which public numbers alone decide. */
[[nodiscard]] NumberGrid plan_number(double most, double sensitivity, int bits);

/** The same for Laplace noise that may cost epsilon: K = floor(epsilon 2^bits), so
 *  certified_price() <= epsilon. */
[[nodiscard]] NumberGrid plan_laplace(double epsilon, double sensitivity, int bits);

/** clamp(g (floor(value / g) + noise + 1/2), 0, bound), with value clamped to [0, bound] first and
 *  noise as above. The one place where the value leaves: afterwards everything is
 *  post-processing. Throws Error(DPA_E_OPTION) when bound / g exceeds 2^62: public numbers again.
 *
 *  The quotient is floor of the exact ratio of two doubles, not of a rounded one, and g K >=
 *  sensitivity exactly; hence |value - value'| <= sensitivity implies, without any allowance for
 *  rounding, |floor(value / g) - floor(value' / g)| <= ceil(|value - value'| / g) <= K. (A rounded
 *  quotient near 2^62 is off by up to 2^8, which would have to be paid for by a larger tau.) */
[[nodiscard]] double release_number(double value, double bound, const NumberGrid &grid,
                                    std::int64_t noise);

/** floor(value / unit), exact; 0 <= value <= 2^62 unit. */
[[nodiscard]] std::int64_t floor_quotient(double value, double unit);

}  // namespace dpadapt::privacy
