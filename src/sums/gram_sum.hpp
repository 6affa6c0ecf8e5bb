#pragma once

#include "sums/integer_sums.hpp"

namespace dpadapt::sums {

/** Exact second moments of records (z, y) of which each number is rounded to 43 bits of its bound,
 *  sign included: q = round(2^42 z / bound). The products of q are integers, and so are their sums,
 *  which depend neither on the order nor on the parts of the records. For public rows, where no
 *  norm has to be bounded: MomentSum is for private ones. */
class GramSum {
  public:
    /** @param bounds  Powers of two, of the coordinates of z and of y. What is beyond is moved to
     *                 its bound. */
    explicit GramSum(std::vector<double> bounds);

    /** Adds one record of finite numbers. */
    void add(const double *z, double y);

    /** Adds to the digest of the rows that the records are made of. */
    void add_digest(std::uint64_t digest) { digest_ += digest; }

    /** Adds a sum over other records within the same bounds. */
    void merge(const GramSum &other);
    void write(bytes::Writer &to) const;
    void read(bytes::Reader &from);

    [[nodiscard]] std::size_t size() const { return bounds_.size(); }
    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] std::uint64_t digest() const { return digest_; }

    /** Sums of the products of all pairs of coordinates, of which the last one is y: a symmetric
     *  matrix of size() columns. */
    [[nodiscard]] std::vector<double> sums() const;

    /** Sums of products of the halves of two numbers, each below 2^43. */
    struct Products {
        std::int64_t upper = 0;
        std::int64_t mixed = 0;
        std::int64_t lower = 0;
    };

  private:
    void add_block();
    void empty_products();
    [[nodiscard]] GramSum complete() const;

    std::vector<double> bounds_;
    std::uint64_t records_ = 0;
    std::uint64_t digest_ = 0;
    std::size_t waiting_ = 0;           ///< records in the block
    std::size_t blocks_ = 0;            ///< in the products
    SecretVector<std::int32_t> upper_;  ///< of the block, coordinate after coordinate
    SecretVector<std::int32_t> lower_;
    SecretVector<Products> products_;  ///< upper triangle, column after column
    SecretVector<Uint128> totals_;     ///< modulo 2^128, so that foreign ones cannot overflow
};

}  // namespace dpadapt::sums
