#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "privacy/grid.hpp"

/** Exact sums over records. They are private data until they are released: they must stay within
 *  the trust boundary. Sums of integers depend neither on the order nor on the partition of the
 *  records: sums over parts can be merged, from threads or processes, with the same bits as a
 *  single one. */
namespace dpadapt::sums {

/** What sums of 64 bits share: they are merged, and written and read where a sum is formed
 *  elsewhere. */
class IntegerSums {
  public:
    explicit IntegerSums(std::size_t count) : sums_(count, 0) {}

    /** The integers, without what they are sums of. */
    void write(bytes::Writer &to) const;

    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] std::span<const std::int64_t> sums() const { return sums_; }

  protected:
    /** Adds sums over other records of the same kind. */
    void add(const IntegerSums &other);

    /** Into empty sums what others wrote; damaged() for integers that records which add at most
     *  `most` in size cannot add up to. */
    void read(bytes::Reader &from, Uint128 most);

    /** Throws Error(DPA_E_INTERNAL) unless there is noise for each sum, and the records are those
     *  whose number is public. */
    void check_release(std::span<const std::int64_t> noise, std::uint64_t public_records) const;

    SecretVector<std::int64_t> sums_;
    std::uint64_t records_ = 0;
};

/** Sums of 128 bits as pairs of halves. */
void write_totals(bytes::Writer &to, std::span<const Uint128> totals);

/** Such sums that were written elsewhere, each at most `most` in size; else damaged(). */
void read_totals(bytes::Reader &from, Uint128 most, std::span<Uint128> totals);

/** Where the entry (i, j), i <= j, of an upper triangle is that is stored column after column. */
[[nodiscard]] constexpr std::size_t in_triangle(std::size_t i, std::size_t j) {
    return j * (j + 1) / 2 + i;
}

/** The certificate of a private sum: the contribution of one record, in grid units `unit`, rounded
 *  towards zero to integers whose squares sum to at most most^2, proven in 128-bit arithmetic
 *  whatever rounding, compiler or processor did before. A longer contribution is shrunk; one that
 *  is not finite becomes zero. most < 2^53. */
void round_to_grid(std::span<const double> contribution, double unit, std::int64_t most,
                   std::span<std::int64_t> rounded);

/** Adds to `sums` what round_to_grid makes of factor[i] times the i-th of some rows, one after
 *  another of sums.size() numbers each: the same integers, many records in one go. */
void add_multiples(std::span<const double> factors, const double *rows, double unit,
                   std::int64_t most, std::span<std::int64_t> sums);

/** A number of one record that is released by itself: in [0, most] grid units, so that replacing
 *  the record moves it by at most `most`. What is not finite counts as zero. */
[[nodiscard]] std::int64_t round_entry(double value, double unit, std::int64_t most);

/** unit (entry + noise + 1/2) for an entry that is far from 2^127. */
[[nodiscard]] double release_entry(Int128 entry, std::int64_t noise, double unit);

/** Sum of integer contributions. */
class VectorSum : public IntegerSums {
  public:
    VectorSum(std::size_t dimension, const privacy::VectorGrid &grid);

    /** Adds one record: its contribution is rounded towards zero to the grid and shrunk, in
     *  integers, until its norm is at most Q. A contribution that is not finite counts as zero.
     *  Never fails or reports. */
    void add(std::span<const double> contribution);

    /** The same of factor[i] times the i-th of rows that follow one another. */
    void add_multiples(std::span<const double> factors, const double *rows);

    /** Adds a sum over other records; throws Error(DPA_E_INTERNAL) when the grids differ. */
    void merge(const VectorSum &other);

    /** Into an empty sum on the same grid. */
    void read(bytes::Reader &from);

    [[nodiscard]] const privacy::VectorGrid &grid() const { return grid_; }

    /** gamma (S + N + 1/2) for integer noise N = floor(2^bits Z), Z standard normal. The one place
     *  where a sum leaves: afterwards everything is post-processing. The number of records must be
     *  the public one. */
    [[nodiscard]] std::vector<double> release(std::span<const std::int64_t> noise,
                                              std::uint64_t public_records) const;

  private:
    privacy::VectorGrid grid_;
    SecretVector<std::int64_t> rounded_;  ///< of the record being added
};

/** Exact sum of outer products of rounded vectors.
 *
 *  The packed sum has the upper triangle column after column, entries on the diagonal times 128 and
 *  others times 181 <= 128 sqrt(2), so that its norm is at most 128 times the Frobenius norm of the
 *  matrix. */
class OuterSum : public IntegerSums {
  public:
    OuterSum(std::size_t dimension, const privacy::OuterGrid &grid);

    /** Adds x x'; a longer x is shrunk to norm 1, one that is not finite counts as zero. Never
     *  fails or reports. */
    void add(std::span<const double> x) { add_part(x, 1, true); }

    /** Adds x x', one of so many products that the same person has; a longer x is shrunk to norm
     *  1/sqrt(parts). So the sum of the person's products has trace length^2 at most, and as much
     *  Frobenius norm; and of two such sums P and R, which have no negative eigenvalue, tr(P R) is
     *  not negative: ||P - R||^2 <= 2 length^4, as of single products.
     *  @param first  Whether this is the first of them: each person counts once. */
    void add_part(std::span<const double> x, std::uint64_t parts, bool first);

    /** Adds a sum over other records; throws Error(DPA_E_INTERNAL) when the grids differ. */
    void merge(const OuterSum &other);

    /** As that of VectorSum. */
    void read(bytes::Reader &from);

    [[nodiscard]] std::size_t dimension() const { return dimension_; }

    /** The integers to which noise is added, of no more than 2^54 each before they are packed. */
    [[nodiscard]] std::vector<std::int64_t> packed() const;

    /** The upper triangle of the sum of x x', column after column, with noise floor(2^bits Z) for
     *  every entry. The number of records must be the public one. */
    [[nodiscard]] std::vector<double> release(std::span<const std::int64_t> noise,
                                              std::uint64_t public_records) const;

  private:
    std::size_t dimension_;
    privacy::OuterGrid grid_;
    SecretVector<std::int64_t> rounded_;
    std::vector<std::int32_t> small_;
};

}  // namespace dpadapt::sums
