#pragma once

#include <map>

#include "sums/integer_sums.hpp"

namespace dpadapt::sums {

/** Exact sums over records of an integer in [0, 2^30] for each question. */
class Tally : public IntegerSums {
  public:
    static constexpr int kBits = 30;
    static constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 32;  ///< sums of 62 bits

    /** Before anything is paid: throws Error(DPA_E_UNSUPPORTED) for more records. */
    static void check(std::uint64_t records);

    explicit Tally(std::size_t questions) : IntegerSums(questions) {}

    /** The sums that those records have. */
    Tally(std::uint64_t records, std::span<const std::int64_t> sums);

    /** Adds sums over other records; throws Error(DPA_E_INTERNAL) for other questions. */
    void merge(const Tally &other);
    void read(bytes::Reader &from) { IntegerSums::read(from, Uint128{1} << kBits); }
};

/** The gradient of the paper's step, and the integer of each record's loss. */
class PaperSum {
  public:
    explicit PaperSum(VectorSum gradient) : gradient_(std::move(gradient)) {}

    /** The losses of the records first, first + 1, ... of the sample. */
    PaperSum(VectorSum gradient, std::uint64_t first, std::vector<std::int64_t> losses);

    void merge(const PaperSum &other);
    void write(bytes::Writer &to) const;
    void read(bytes::Reader &from);

    [[nodiscard]] std::uint64_t records() const { return gradient_.records(); }
    [[nodiscard]] const VectorSum &gradient() const { return gradient_; }

    /** In the order of the sample; throws Error(DPA_E_INTERNAL) unless each of its records is there
     *  once. */
    [[nodiscard]] std::vector<std::int64_t> losses() const;

  private:
    void add(std::uint64_t first, std::vector<std::int64_t> losses);

    VectorSum gradient_;
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

}  // namespace dpadapt::sums
