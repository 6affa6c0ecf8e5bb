#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "privacy/vector_sum.hpp"
#include "problem/sample.hpp"
#include "records/row_sample.hpp"

namespace dpadapt::records {

/** Exact sums over records of an integer in [0, 2^30] for each question. Private data, as all sums
 *  of records are: they must stay within the trust boundary. */
class Tally {
  public:
    static constexpr int kBits = 30;
    static constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 32;  ///< sums of 62 bits

    /** Before anything is paid: throws Error(DPA_E_UNSUPPORTED) for more records. */
    static void check(std::uint64_t records);

    explicit Tally(std::size_t questions) : sums_(questions) {}

    /** The sums that those records have. */
    Tally(std::uint64_t records, std::vector<std::int64_t> sums)
        : records_(records), sums_(std::move(sums)) {}

    /** Adds sums over other records; throws Error(DPA_E_INTERNAL) for other questions. */
    void merge(const Tally &other);
    void write(bytes::Writer &to) const;
    void read(bytes::Reader &from);

    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] const std::vector<std::int64_t> &sums() const { return sums_; }

  private:
    std::uint64_t records_ = 0;
    std::vector<std::int64_t> sums_;
};

/** The gradient of the paper's step, and the integer of each record's loss. */
class PaperSum {
  public:
    explicit PaperSum(privacy::VectorSum gradient) : gradient_(std::move(gradient)) {}

    /** The losses of the records first, first + 1, ... of the sample. */
    PaperSum(privacy::VectorSum gradient, std::uint64_t first, std::vector<std::int64_t> losses);

    void merge(const PaperSum &other);
    void write(bytes::Writer &to) const;
    void read(bytes::Reader &from);

    [[nodiscard]] std::uint64_t records() const { return gradient_.records(); }
    [[nodiscard]] const privacy::VectorSum &gradient() const { return gradient_; }

    /** In the order of the sample; throws Error(DPA_E_INTERNAL) unless each of its records is there
     *  once. */
    [[nodiscard]] std::vector<std::int64_t> losses() const;

  private:
    void add(std::uint64_t first, std::vector<std::int64_t> losses);

    privacy::VectorSum gradient_;
    std::multimap<std::uint64_t, std::vector<std::int64_t>> losses_;  ///< by the first record
};

/** What was neutralised in private records: for the custodian's eyes only. */
struct Counts {
    std::uint64_t seen = 0;        ///< records
    std::uint64_t not_finite = 0;  ///< or with a label that the loss gives no meaning
    std::uint64_t scaled = 0;      ///< features beyond the radius
    std::uint64_t clamped_labels = 0;

    [[nodiscard]] std::uint64_t records() const { return seen; }

    void merge(const Counts &other);
    void write(bytes::Writer &to) const;
    void read(bytes::Reader &from);
};

/** What is asked first of a public sample that is elsewhere: how many rows have a label, between
 *  which values their numbers lie, and a sample of them. It holds rows as they are, so nothing
 *  ever asks private records for it. */
class SurveySum {
  public:
    /** @param width  Numbers of a row, of which the last one is the label. */
    SurveySum(std::size_t width, std::size_t most);

    /** Adds rows; after a failure the sum is of no use. */
    void add(const Sample &rows);

    /** Adds another sum, or fails and changes nothing. */
    void merge(const SurveySum &other);
    void write(bytes::Writer &to) const;
    void read(bytes::Reader &from);

    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
    [[nodiscard]] std::uint64_t labelled() const { return records_ - damaged_ - unlabelled_; }
    /** Of the rows with a label, numbers in the order of their columns. */
    [[nodiscard]] const std::vector<double> &lowest() const { return lowest_; }
    [[nodiscard]] const std::vector<double> &highest() const { return highest_; }
    [[nodiscard]] const RowSample &sample() const { return sample_; }

  private:
    std::uint64_t records_ = 0;
    std::uint64_t damaged_ = 0;     ///< with a number that is not finite
    std::uint64_t unlabelled_ = 0;  ///< of the others
    std::vector<double> lowest_;
    std::vector<double> highest_;
    RowSample sample_;
};

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

}  // namespace dpadapt::records
