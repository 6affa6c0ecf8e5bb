#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/misfits.hpp"
#include "cli/record_taker.hpp"
#include "schema/unfit.hpp"

namespace dpadapt::cli {

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

}  // namespace dpadapt::cli
