#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "problem/sample.hpp"

namespace dpadapt::sums {

/** Public rows: those different ones whose contents have the smallest hashes, and how often each is
 *  there. Neither the order of the rows nor the parts in which they are read matter, because a row
 *  that is among the smallest of all is among the smallest of its part. */
class RowSample {
  public:
    /** @param width  Numbers of a row.
     *  @param most   Rows that are kept. */
    RowSample(std::size_t width, std::size_t most) : width_(width), most_(most) {}

    /** Adds a row of finite numbers; after a failure the sample is of no use. */
    void add(const double *row);

    /** Adds the sample of other rows, or fails and changes nothing. */
    void merge(const RowSample &other);

    void write(bytes::Writer &to) const;

    /** Into an empty sample; damaged() for what no rows lead to.
     *  @param rows  How many were added. */
    void read(bytes::Reader &from, std::uint64_t rows);

    /** The different rows that are kept, in an order that depends on them alone. */
    struct Content {
        std::vector<double> values;         ///< row after row
        std::vector<std::uint64_t> counts;  ///< how often each is there
        double share = 1.0;                 ///< of all different rows, as far as hashes tell
    };
    [[nodiscard]] Content content() const;

    /** The digest of all rows that were added. */
    [[nodiscard]] std::uint64_t digest() const { return digest_; }

  private:
    [[nodiscard]] std::size_t size() const { return hashes_.size(); }
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return std::span(values_).subspan(i * width_, width_);
    }
    [[nodiscard]] bool before(std::uint32_t i, std::uint32_t j) const;

    void make_room(std::size_t more);
    void make_slots(std::size_t rows);
    void insert(const double *row, std::uint64_t hash, std::uint64_t count);
    void shrink();
    void find_slots();

    std::size_t width_;
    std::size_t most_;
    std::uint64_t digest_ = 0;
    std::uint64_t last_ = std::numeric_limits<std::uint64_t>::max();  ///< larger ones are not kept
    std::vector<double> values_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint64_t> counts_;
    std::vector<std::uint32_t> slots_;  ///< open addressing by hash
    std::vector<std::uint32_t> order_;  ///< memory for shrink()
};

/** The same number for the same finite numbers, with -0 as 0. */
[[nodiscard]] std::uint64_t hash_of_row(std::span<const double> row);

/** Of the labelled rows begin <= i < end: the sum of their hashes modulo 2^64, which depends
 *  neither on their order nor on their parts. */
[[nodiscard]] std::uint64_t digest_of_rows(const Sample &rows, std::size_t begin, std::size_t end);

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

}  // namespace dpadapt::sums
