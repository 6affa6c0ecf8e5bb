#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/record_taker.hpp"
#include "schema/unfit.hpp"

namespace dpadapt::cli {

/** Public cells that do not fit into their columns: how many, and the first ten of them. */
struct Misfits {
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
class Encoder : public RecordTaker {
  public:
    Encoder(const schema::Schema &schema, bool is_labelled, Sample &sample,
            bool keeps_unlabelled = false);

    /** Public cells that do not fit count as missing, as private ones do. */
    void takes_misfits_for_missing() { keeps_misfits_ = true; }

    void begin(std::size_t columns) override;
    void take(std::span<const schema::Cell> cells, std::size_t line, double weight) override;
    void take_null() override;

    /** Of public records: how many have a level that the schema does not know, a line a column. */
    [[nodiscard]] std::vector<std::string> unknown_levels() const;

    /** Of public records, whose features are NaN then, unless they count as missing. */
    [[nodiscard]] const Misfits &misfits() const { return misfits_; }

  private:
    void take_public(std::span<const schema::Cell> cells, std::size_t line);
    [[nodiscard]] double label(const schema::Cell &cell);

    const schema::Schema &schema_;
    bool is_labelled_;
    bool keeps_unlabelled_;
    bool keeps_misfits_ = false;
    Sample &sample_;
    Misfits misfits_;
    std::vector<schema::Odd> unknown_;  // of public records, by column
    std::size_t rows_ = 0;              // public ones
    std::vector<double> row_;
    std::vector<schema::Fit> fits_;
};

/** The number of records of each sample, where the command line fixes it; else 0. */
struct FixedRows {
    std::size_t source = 0;
    std::size_t target = 0;
};

/** What --rows says: nothing, a number for the private sample, or two when both are private.
 *  Failure(kUsage) for anything else. */
[[nodiscard]] FixedRows fixed_rows(const std::vector<std::string> &numbers, bool private_source,
                                   bool private_target);

/** What such a flag says about one sample. */
[[nodiscard]] std::size_t fixed_number_of_rows(const std::string &flag,
                                               const std::vector<std::string> &numbers,
                                               bool is_private);

/** Failure(kUsage) for more numbers of private records than the machine has memory for, whatever
 *  their file holds. */
void check_room(std::size_t rows, std::size_t columns);

}  // namespace dpadapt::cli
