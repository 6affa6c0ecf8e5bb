#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schema/table.hpp"

namespace dpadapt::cli {

/** A sample that grows record by record. */
class RecordTaker {
  public:
    RecordTaker() = default;
    RecordTaker(const RecordTaker &) = delete;
    RecordTaker &operator=(const RecordTaker &) = delete;
    virtual ~RecordTaker() = default;

    /** Comes first. */
    virtual void begin(std::size_t columns) = 0;
    /** @param cells  Those of the columns in order, then the label's.
     *  @param line   On which the record ends.
     *  @param weight  NaN where no column says so, and of a private record that has none. */
    virtual void take(std::span<const schema::Cell> cells, std::size_t line, double weight) = 0;
    /** Of a private sample: a line that is no record. */
    virtual void take_null() = 0;
};

/** How many public rows of so many numbers half of the memory holds, or are few in any case. */
[[nodiscard]] std::size_t rows_held(std::size_t memory, std::size_t numbers);

/** Keeps the cells, to learn from them and to encode them later. */
class TableTaker : public RecordTaker {
  public:
    /** @param skips_unlabelled  Of public records: without a label they teach nothing. */
    explicit TableTaker(bool skips_unlabelled) : skips_unlabelled_(skips_unlabelled) {}

    /** @param memory  Of public rows that need more than half of it only some are kept, which their
     *                 numbers choose; 0: all are kept. */
    TableTaker(bool skips_unlabelled, std::size_t memory)
        : skips_unlabelled_(skips_unlabelled), memory_(memory) {}

    void begin(std::size_t columns) override;
    void take(std::span<const schema::Cell> cells, std::size_t line, double weight) override;
    void take_null() override;

    [[nodiscard]] const schema::Table &table() const { return table_; }
    /** Records that were kept, or were too many. */
    [[nodiscard]] std::size_t taken() const { return taken_; }
    /** Public records without a label. */
    [[nodiscard]] std::size_t skipped() const { return skipped_; }
    [[nodiscard]] std::size_t line(std::size_t row) const { return lines_[row]; }
    static constexpr auto kAbsent = static_cast<std::size_t>(-1);

    /** Gives some of its columns, and the label, to another; absent ones have no value. */
    void give(const std::vector<std::size_t> &columns, RecordTaker &taker) const;

  private:
    void thin();

    bool skips_unlabelled_;
    std::size_t memory_ = 0;
    std::size_t most_ = 0;  // rows
    std::size_t taken_ = 0;
    std::uint64_t left_out_ = 0;         // bits of a number that must be zero
    std::vector<std::uint64_t> chosen_;  // for each row, where there may be too many
    std::size_t skipped_ = 0;
    schema::Table table_{0};
    std::vector<std::uint32_t> lines_;
    std::vector<double> weights_;
};

}  // namespace dpadapt::cli
