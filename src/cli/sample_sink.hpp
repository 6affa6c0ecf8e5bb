#pragma once

#include <string>
#include <vector>

#include "cli/columns.hpp"
#include "cli/record_reader.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {

/** Appends the rows of a file to a sample, or to the one of two that the domain column names. */
class SampleSink : public RecordSink {
  public:
    SampleSink(const std::string &path, ColumnChoice &choice, Sample &sample)
        : SampleSink(path, choice, sample, sample) {}

    SampleSink(const std::string &path, ColumnChoice &choice, Sample &source, Sample &target)
        : path_(path), choice_(choice), source_(source), target_(target) {}

    /** Reads the file, by the reader that its rows need. */
    void read();

    void header(const std::vector<std::string> &names) override;
    bool begin_row(std::string_view first, std::string_view last) override;
    void cell(std::size_t column, std::string_view text) override;
    void end_row() override;
    void end_null_row() override;

  private:
    [[nodiscard]] bool has_private_rows() const { return source_.is_private || target_.is_private; }
    // Without labels nothing is learnt, and NaN has NaN for its prediction.
    [[nodiscard]] bool labelled() const { return !choice_.label.empty(); }
    [[nodiscard]] double number(std::string_view text) const;
    [[nodiscard]] bool find_end(const std::vector<std::string> &names,
                                const std::string &column) const;
    [[nodiscard]] Sample *domain(std::string_view text) const;

    std::string path_;
    ColumnChoice &choice_;
    Sample &source_;
    Sample &target_;
    Sample *current_ = &source_;
    bool domain_first_ = false;  // or last
    bool has_domain_ = false;    // the current row
    bool group_first_ = false;   // or last
    std::int64_t group_ = 0;     // of the current row
    std::vector<Place> places_;
    std::vector<double> row_;
    double label_ = 0.0;
};

}  // namespace dpadapt::cli
