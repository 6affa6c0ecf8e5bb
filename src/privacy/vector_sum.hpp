#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "privacy/release.hpp"

namespace dpadapt::privacy {

/** The grid of a released vector sum. A record's contribution, of norm at most `clip`, becomes an
 *  integer vector of norm at most `most`, so that replacing a record moves the sum by at most 2
 *  most, taking it out by at most `most`, and noise of standard deviation 2^bits makes its release
 *  certified_mu()-GDP: a ratio of integers, exact. */
struct VectorGrid {
    int bits = 32;
    std::int64_t most = 0;  ///< Q, norm bound in grid units
    double gamma = 0.0;     ///< grid unit, clip / Q rounded up

    [[nodiscard]] double sigma() const;
    [[nodiscard]] std::int64_t integer_sensitivity(Neighbours neighbours) const;
    [[nodiscard]] double certified_mu(Neighbours neighbours = Neighbours::replace) const;
};

/** Grid for a release that may cost mu^2, in units of 2^-80: Q = floor(mu 2^(bits - 1)), or
 *  floor(mu 2^bits) where records are taken out, so certified_mu() <= mu. Throws
 *  Error(DPA_E_OPTION) unless 2^10 <= Q < 2^53, which public numbers alone decide. */
[[nodiscard]] VectorGrid plan_grid(Uint128 mu_square, double clip, int bits,
                                   Neighbours neighbours = Neighbours::replace);

/** Fewest bits of noise that sums of very many records are given, so that they stay within 64. */
constexpr int kLeastBits = 16;

/** Largest integer sensitivity that noise of standard deviation 2^bits allows at that cost. */
[[nodiscard]] std::int64_t plan_sensitivity(Uint128 mu_square, int bits);

/** Sum of integer contributions. Private data until it is released: it must stay within the trust
 *  boundary.
 *
 *  Integer sums do not depend on the order or the partition of the rows: sums over parts can be
 *  merged, from threads or processes, with the same bits as a single one. */
class VectorSum {
  public:
    static constexpr std::size_t kMostCoordinates = std::size_t{1} << 20;

    VectorSum(std::size_t dimension, const VectorGrid &grid);

    /** Adds one record: its contribution is rounded towards zero to the grid and shrunk, in
     *  integers, until its norm is at most Q. A contribution that is not finite counts as zero.
     *  Never fails or reports. */
    void add(std::span<const double> contribution);

    /** The same of factor[i] times the i-th of rows that follow one another. */
    void add_multiples(std::span<const double> factors, const double *rows);

    /** Adds a sum over other records; throws Error(DPA_E_INTERNAL) when the grids differ. */
    void merge(const VectorSum &other);

    /** For a sum that is formed elsewhere: the integers, without the grid. */
    void write(bytes::Writer &to) const;

    /** Into an empty sum on the same grid, what another one wrote; damaged() for integers that its
     *  records cannot add up to. */
    void read(bytes::Reader &from);

    [[nodiscard]] const VectorGrid &grid() const { return grid_; }
    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] std::span<const std::int64_t> sums() const { return sums_; }

    /** gamma (S + N + 1/2) for integer noise N = floor(2^bits Z), Z standard normal. The one place
     *  where a sum leaves: afterwards everything is post-processing. The number of records must be
     *  the public one. */
    [[nodiscard]] std::vector<double> release(std::span<const std::int64_t> noise,
                                              std::uint64_t public_records) const;

  private:
    VectorGrid grid_;
    SecretVector<std::int64_t> sums_;
    SecretVector<std::int64_t> rounded_;  ///< of the record being added
    std::uint64_t records_ = 0;
};

/** Integers of a sum that were written elsewhere, each at most `most` in size; else damaged(). */
void read_sums(bytes::Reader &from, Uint128 most, std::span<std::int64_t> sums);

/** A number of one record that is released by itself: in [0, most] grid units, so that replacing
 *  the record moves it by at most `most`. What is not finite counts as zero. */
[[nodiscard]] std::int64_t round_entry(double value, double unit, std::int64_t most);

/** unit (entry + noise + 1/2) for an entry that is far from 2^127. */
[[nodiscard]] double release_entry(Int128 entry, std::int64_t noise, double unit);

}  // namespace dpadapt::privacy
