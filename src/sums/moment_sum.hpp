#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sums/integer_sums.hpp"

namespace dpadapt::sums {

/** Means of z z', z y and y^2 in the caller's units; `second` is square and symmetric. */
struct MomentMeans {
    std::vector<double> second;
    std::vector<double> cross;
    double label = 0.0;
};

/** Exact second moments of private records (z, y) with ||z|| <= radius and |y| <= label_bound.
 *
 *  A record becomes integers X = trunc(2^30 z / radius), Y = trunc(2^30 y / label_bound) with
 *  sum X_k^2 <= 2^60 and |Y| <= 2^30 certified, and from then on these are the record: its loss is
 *  in [0, (||w|| radius + label_bound)^2] exactly, and no summation error enters a sensitivity. */
class MomentSum {
  public:
    /** Throws Error(DPA_E_OPTION) unless both bounds are finite and not negative. */
    MomentSum(std::size_t dimension, double radius, double label_bound);

    /** Adds one record, shrunk into the bounds; one with a value that is not finite counts as zero.
     *  Never fails or reports. */
    void add(const double *z, double y);

    /** Adds a sum over other records; throws Error(DPA_E_INTERNAL) when dimension or bounds differ.
     */
    void merge(const MomentSum &other);

    /** As those of IntegerSums. */
    void write(bytes::Writer &to) const;
    void read(bytes::Reader &from);

    [[nodiscard]] std::size_t dimension() const { return rounded_.size() - 1; }
    [[nodiscard]] std::uint64_t records() const { return records_; }

    /** Exact sum of products of the integer coordinates i and j; coordinate dimension() is Y. */
    [[nodiscard]] Int128 sum(std::size_t i, std::size_t j) const;

    /** Every entry has a relative error of at most 5 * 2^-53; there must be records. */
    [[nodiscard]] MomentMeans means() const;

  private:
    static constexpr std::size_t kBlock = 7;  ///< products below 2^60 whose sum an int64 holds

    [[nodiscard]] std::int64_t block_sum(std::size_t i, std::size_t j) const;

    double radius_;
    double label_bound_;
    std::uint64_t records_ = 0;
    std::size_t waiting_ = 0;             ///< records in block_, not yet in totals_
    SecretVector<std::int64_t> rounded_;  ///< X and Y of the record being added
    SecretVector<std::int32_t> block_;  ///< coordinate after coordinate, zero where no record waits
    SecretVector<Int128> totals_;       ///< upper triangle, column after column
};

}  // namespace dpadapt::sums
