#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "privacy/release.hpp"

namespace dpadapt::privacy {

/** The grid of a released sum of outer products x x' with ||x|| <= 1: X = trunc(length x) with sum
 *  X_k^2 <= length^2. */
struct OuterGrid {
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

/** Exact sum of outer products of rounded vectors. Private data until it is released, like
 *  VectorSum.
 *
 *  The packed sum has the upper triangle column after column, entries on the diagonal times 128 and
 *  others times 181 <= 128 sqrt(2), so that its norm is at most 128 times the Frobenius norm of the
 *  matrix. */
class OuterSum {
  public:
    OuterSum(std::size_t dimension, const OuterGrid &grid);

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

    /** As those of VectorSum. */
    void write(bytes::Writer &to) const;
    void read(bytes::Reader &from);

    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] std::uint64_t records() const { return records_; }

    /** The integers to which noise is added, of no more than 2^54 each before they are packed. */
    [[nodiscard]] std::vector<std::int64_t> packed() const;

    /** The upper triangle of the sum of x x', column after column, with noise floor(2^bits Z) for
     *  every entry. The number of records must be the public one. */
    [[nodiscard]] std::vector<double> release(std::span<const std::int64_t> noise,
                                              std::uint64_t public_records) const;

  private:
    std::size_t dimension_;
    OuterGrid grid_;
    std::uint64_t records_ = 0;
    SecretVector<std::int64_t> sums_;
    SecretVector<std::int64_t> rounded_;
    std::vector<std::int32_t> small_;
};

}  // namespace dpadapt::privacy
