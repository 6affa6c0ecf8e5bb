#include "cli/record_reader.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/csv_header.hpp"
#include "cli/failure.hpp"
#include "cli/line_reader.hpp"
#include "cli/record_line.hpp"

namespace dpadapt::cli {
namespace {

/** Keeps the position and the rules; a row's text is gone when the next line is read. */
class RecordReader {
  public:
    RecordReader(const std::string &path, RecordSink &sink)
        : path_(path), lines_(path), sink_(sink) {}

    void read() {
        read_header();
        while (next()) row();
    }

  private:
    bool next() {
        ++number_;
        return lines_.next(line_);
    }

    void read_header() {
        do {
            if (!next()) throw Failure(kBadData, path_ + ": the file is empty");
            if (lines_.too_long()) fail("is longer than 8 MiB");
        } while (without_blanks(line_).empty());
        // With such ends the whole file is one line, and a message about it would show rows.
        if (line_.find('\r') != std::string::npos) fail(kLoneCr);
        separator_ = find_separator(line_);
        const Cells header = split_line(line_, separator_);
        if (!header.proper) fail("is a header with a misplaced quote");
        names_ = header.texts;
        check_names(path_, number_, names_, true);
        sink_.header(names_, separator_);
    }

    void row() {
        const std::string_view line = line_;
        const std::size_t last = line.rfind(separator_) + 1;  // 0 without any
        const bool is_private =
            sink_.begin_row(line.substr(0, line.find(separator_)), line.substr(last));
        const std::optional<Failure> damage = give(split_line(line, separator_).texts);
        if (damage && !is_private) throw Failure(*damage);
        damage ? sink_.end_null_row() : sink_.end_row(number_);
    }

    /** Gives the cells to the sink. @return what is wrong with the row. */
    std::optional<Failure> give(const std::vector<std::string> &cells) {
        for (std::size_t column = 0; column < std::min(cells.size(), names_.size()); ++column) {
            try {
                sink_.cell(column, cells[column]);
            } catch (const CellError &error) {
                return Failure(kBadData, place_in_file(path_, number_, column, names_[column]) +
                                             ": " + error.what());
            }
        }
        if (cells.size() == names_.size()) return {};
        return failure("has " + std::to_string(cells.size()) + " fields, but the header has " +
                       std::to_string(names_.size()));
    }

    [[nodiscard]] Failure failure(const std::string &rule) const {
        return {kBadData, path_ + ": line " + std::to_string(number_) + ' ' + rule};
    }

    [[noreturn]] void fail(const std::string &rule) const { throw failure(rule); }

    std::string path_;
    LineReader lines_;
    RecordSink &sink_;
    std::string line_;
    char separator_ = ',';
    std::size_t number_ = 0;
    std::vector<std::string> names_;
};

}  // namespace

void read_records(const std::string &path, RecordSink &sink) { RecordReader(path, sink).read(); }

}  // namespace dpadapt::cli
