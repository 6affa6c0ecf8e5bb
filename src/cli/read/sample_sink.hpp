#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/read/columns.hpp"
#include "cli/read/csv.hpp"
#include "cli/read/sample.hpp"

namespace dpadapt::cli {

/** Gives the rows of a file to a sample, or to the one of two that the domain column names. */
class SampleSink : public CsvSink {
  public:
    struct Side {
        RecordSink &sink;
        bool is_private;
    };

    /** @param missing  Words for a missing value, beside the usual ones. */
    SampleSink(const std::string &path, ColumnChoice &choice, std::vector<std::string> missing,
               Side sample)
        : SampleSink(path, choice, std::move(missing), sample, sample) {}

    SampleSink(const std::string &path, ColumnChoice &choice, std::vector<std::string> missing,
               Side source, Side target)
        : path_(path),
          choice_(choice),
          format_{std::move(missing), false},
          source_(source),
          target_(target) {}

    /** Reads the file, by the reader that its rows need. */
    void read();

    /** The places and reasons. */
    [[nodiscard]] std::vector<std::string> lines(const InvalidCells &invalid) const;
    /** Throws Failure(kBadData) with them and the help, if there are any. */
    void check(const InvalidCells &invalid, const std::string &help = {}) const;
    [[nodiscard]] const std::string &path() const { return path_; }
    /** Columns that have no use, and were not told to be left out. */
    [[nodiscard]] std::vector<std::string> unused(const std::vector<std::string> &ignored) const;
    /** The texts of the kept columns, row by row. */
    [[nodiscard]] const std::vector<std::string> &kept() const { return kept_; }
    /** Whose the private rows are, of the target where there are two samples; as chosen. */
    [[nodiscard]] const std::vector<std::int64_t> &groups() const { return groups_; }

    void header(const std::vector<std::string> &names, char separator) override;
    bool begin_row(std::string_view first, std::string_view last) override;
    void cell(std::size_t column, std::string_view text) override;
    void end_row(std::size_t line) override;
    void end_null_row() override;

  private:
    /** A cell of the current row, and the text that it refers to. */
    struct Slot {
        schema::Cell cell;
        std::string text;
    };

    /** A line's number would tell how many rows the persons before it have. */
    [[nodiscard]] bool counts_public_rows() const { return choice_.by_group && choice_.by_domain; }
    [[nodiscard]] bool has_private_rows() const { return source_.is_private || target_.is_private; }
    [[nodiscard]] bool is_first(const std::string &column) const;
    void check_public(std::size_t column, std::string_view text) const;
    void find_domain(std::string_view text);
    void add_group();
    [[nodiscard]] double weight() const;

    std::string path_;
    ColumnChoice &choice_;
    schema::Format format_;
    Side source_;
    Side target_;
    Side *current_ = &source_;
    bool domain_first_ = false;  // or last
    bool has_domain_ = false;    // the current row
    bool group_first_ = false;   // or last
    std::int64_t group_ = 0;     // of the current row
    std::vector<std::int64_t> groups_;
    std::size_t public_rows_ = 0;
    char separator_ = ',';
    Places places_;
    std::vector<std::string> names_;
    std::vector<std::vector<std::size_t>> uses_;  // slots of each column
    std::vector<Slot> slots_;           // features, label, inputs of the map, event, score, weight
    std::vector<schema::Cell> cells_;   // features and the label, of the current row
    std::vector<schema::Cell> inputs_;  // of the map
    std::vector<std::string> kept_row_;
    std::vector<std::string> kept_;
};

}  // namespace dpadapt::cli
