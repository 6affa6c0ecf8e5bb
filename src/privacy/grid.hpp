#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "privacy/release.hpp"

namespace dpadapt::privacy {

/** Least norm bound in grid units: coarser grids would lose accuracy. */
constexpr std::int64_t kLeastInteger = std::int64_t{1} << 10;

/** The grid of a released vector sum. A record's contribution, of norm at most `clip`, becomes an
 *  integer vector of norm at most `most`, so that replacing a record moves the sum by at most 2
 *  most, taking it out by at most `most`, and noise of standard deviation 2^bits makes its release
 *  certified_mu()-GDP: a ratio of integers, exact. */
struct VectorGrid {
    int bits = 32;
    std::int64_t most = 0;  ///< Q, norm bound in grid units
    double gamma = 0.0;     ///< grid unit, clip / Q rounded up

    [[nodiscard]] double sigma() const { return std::ldexp(gamma, bits); }
    [[nodiscard]] std::int64_t integer_sensitivity(Neighbours neighbours) const {
        return norms_moved(neighbours) * most;
    }
    [[nodiscard]] double certified_mu(Neighbours neighbours = Neighbours::replace) const {
        return std::ldexp(static_cast<double>(integer_sensitivity(neighbours)), -bits);
    }
};

/** Grid for a release that may cost mu^2, in units of 2^-80: Q = floor(mu 2^(bits - 1)), or
 *  floor(mu 2^bits) where records are taken out, so certified_mu() <= mu. Throws
 *  Error(DPA_E_OPTION) unless 2^10 <= Q < 2^53, which public numbers alone decide. */
[[nodiscard]] VectorGrid plan_grid(Uint128 mu_square, double clip, int bits,
                                   Neighbours neighbours = Neighbours::replace);

/** Fewest bits of noise that sums of very many records are given, so that they stay within 64. */
constexpr int kLeastBits = 16;

/** The same with fewer bits where so many records need that to keep their sum within 64. */
[[nodiscard]] VectorGrid plan_fitting_grid(Uint128 mu_square, double clip, int bits,
                                           std::uint64_t records, Neighbours neighbours);

/** Largest integer sensitivity that noise of standard deviation 2^bits allows at that cost. */
[[nodiscard]] std::int64_t plan_sensitivity(Uint128 mu_square, int bits);

/** Of a vector that is released. */
constexpr std::size_t kMostCoordinates = std::size_t{1} << 20;

/** The grid of a released sum of outer products x x' with ||x|| <= 1: X = trunc(length x) with sum
 *  X_k^2 <= length^2. */
struct OuterGrid {
    /// factors of the packed sum's entries
    static constexpr std::int64_t kOnDiagonal = 128;
    static constexpr std::int64_t kOffDiagonal = 181;
    static_assert(kOffDiagonal * kOffDiagonal <= 2 * kOnDiagonal * kOnDiagonal);

    int bits = 40;
    std::int64_t length = 0;

    /** What neighbours move the packed sum by, at most. Replacing a record: for any two records
     *  ||X X' - Y Y'||^2 = |X|^4 + |Y|^4 - 2 (X.Y)^2 <= 2 length^4, where differences of single
     *  norms would give 4. Taking it out moves the sum by |X|^2 <= length^2. */
    [[nodiscard]] std::int64_t integer_sensitivity(
        Neighbours neighbours = Neighbours::replace) const;

    /** Deviation of the noise of a diagonal entry of the sum; off the diagonal it is 1/sqrt(2) of
     *  that. */
    [[nodiscard]] double deviation() const;
};

/** Grid for a release over that many records that may cost mu^2, in units of 2^-80. Nothing when
 *  the grid would be too coarse. */
[[nodiscard]] std::optional<OuterGrid> plan_outer_grid(Uint128 mu_square, std::uint64_t records,
                                                       Neighbours neighbours = Neighbours::replace);

}  // namespace dpadapt::privacy
