#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "schema/table.hpp"
#include "schema/unfit.hpp"

namespace dpadapt::cli {

/** In the place of a number that is not there. */
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/** A sample that grows record by record. */
class RecordSink {
  public:
    RecordSink &operator=(RecordSink &&) = delete;
    virtual ~RecordSink() = default;

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
class TableSink : public RecordSink {
  public:
    static constexpr auto kAbsent = static_cast<std::size_t>(-1);

    /** @param skips_unlabelled  Of public records: without a label they teach nothing.
     *  @param memory  If public rows need more than half of it, only some are kept, chosen by their
     *                 numbers; 0: all are kept. */
    explicit TableSink(bool skips_unlabelled, std::size_t memory = 0)
        : skips_unlabelled_(skips_unlabelled), memory_(memory) {}

    void begin(std::size_t columns) override;
    void take(std::span<const schema::Cell> cells, std::size_t line, double weight) override;
    void take_null() override { add(nullptr, 0, kNone); }

    [[nodiscard]] const schema::Table &table() const { return table_; }
    /** Records that were kept, or were too many. */
    [[nodiscard]] std::size_t taken() const { return taken_; }
    /** Public records without a label. */
    [[nodiscard]] std::size_t skipped() const { return skipped_; }
    [[nodiscard]] std::size_t line(std::size_t row) const { return row_info_[row].line; }

    /** Gives some of its columns, and the label, to another; absent ones have no value. */
    void give(const std::vector<std::size_t> &columns, RecordSink &sink) const;

  private:
    struct RowInfo {
        std::uint32_t line;
        double weight;
        std::uint64_t random;  // by which it is kept where there are too many
    };
    void add(const std::span<const schema::Cell> *cells, std::size_t line, double weight);
    void thin();

    bool skips_unlabelled_;
    std::size_t memory_;
    std::size_t most_ = 0;  // rows
    std::size_t taken_ = 0;
    std::size_t skipped_ = 0;
    std::uint64_t left_out_ = 0;  // bits of a random number that must be zero
    schema::Table table_{0};
    std::vector<RowInfo> row_info_;
};

/** Public cells that do not fit into their columns: how many, and the first ten of them. */
struct InvalidCells {
    struct Cell {
        std::size_t line;
        std::string column;  // its name; empty for the label
        std::string reason;
    };

    std::size_t count = 0;
    std::vector<Cell> first;

    void add(std::size_t line, const std::string &column, const std::string &reason) {
        constexpr std::size_t kMostKept = 10;
        if (count++ < kMostKept) first.push_back({line, column, reason});
    }
};

/** What the cells of a sample were for their columns; of private ones for their custodian only. */
struct Tally {
    std::vector<std::array<std::size_t, 4>> columns;  // by schema::Fit
    std::size_t no_record = 0;
    std::size_t no_label = 0;
    std::size_t unknown_label = 0;
};

/** Records of one domain: features row by row, and labels. */
struct Sample {
    bool is_private = false;
    std::vector<double> x;
    std::vector<double> y;
    Tally tally{};
    bool unlabelled = false;             // the file has no column of labels
    std::vector<std::int64_t> groups{};  // whose the private rows are; empty: each is for itself
    std::vector<double> weights{};       // empty: the rows weigh alike
    bool weighs = false;                 // whether weights of private rows are read
    std::vector<std::string> unknown{};  // of public rows: which levels the schema does not know
};

/** Turns records into numbers by a schema. A private record without a label, or with one that the
 *  schema does not know, has the label NaN; a public one without a label is left out, unless it is
 *  kept with the label NaN. */
class Encoder : public RecordSink {
  public:
    Encoder(const schema::Schema &schema, bool is_labelled, Sample &sample,
            bool keeps_unlabelled = false);

    /** Public cells that do not fit count as missing, as private ones do. */
    void takes_invalid_for_missing() { keeps_invalid_ = true; }

    using See = std::function<void(Sample &rows)>;
    /** The rows are given away as soon as there are `most`, and at finish().
     *  @param fixed  Of private rows no more than that are taken, and missing ones are null; 0: as
     *                many as there are. */
    void gives_away(std::size_t most, std::size_t fixed, See see);
    void finish();

    void begin(std::size_t /*columns*/) override {}
    void take(std::span<const schema::Cell> cells, std::size_t line, double weight) override;
    void take_null() override;

    /** Of public records: how many have a level that the schema does not know, a line a column. */
    [[nodiscard]] std::vector<std::string> unknown_levels() const;
    /** Of public records, whose features are NaN then, unless they count as missing. */
    [[nodiscard]] const InvalidCells &invalid_cells() const { return invalid_; }

  private:
    void check_public(std::span<const schema::Cell> cells, std::size_t line);
    [[nodiscard]] double label(const schema::Cell &cell);
    [[nodiscard]] bool has_room();
    void count();
    void give();

    const schema::Schema &schema_;
    bool is_labelled_;
    bool keeps_unlabelled_;
    bool keeps_invalid_ = false;
    Sample &sample_;
    InvalidCells invalid_;
    std::vector<schema::UnfitCells> unknown_;  // of public records, by column
    std::size_t rows_ = 0;                     // public ones
    std::vector<double> row_;
    std::vector<schema::Fit> fits_;
    See see_;                                                     // empty: the sample keeps them
    std::size_t most_ = 0;                                        // rows that are kept for it
    std::size_t left_ = std::numeric_limits<std::size_t>::max();  // rows still to be taken
    bool is_fixed_ = false;
};

}  // namespace dpadapt::cli
