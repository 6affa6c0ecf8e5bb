#include "cli/record_reader.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "cli/columns.hpp"
#include "cli/failure.hpp"

namespace dpadapt::cli {

namespace {

/** A tab may be a separator itself. */
const char *blanks_beside(char separator) { return separator == '\t' ? " " : " \t"; }

/** Takes a cell in quotes, up to the separator behind it, from the beginning of the line. */
std::optional<std::string> take_quoted(std::string_view &line, char separator) {
    const char *const blanks = blanks_beside(separator);
    std::size_t at = line.find_first_not_of(blanks);
    if (at == std::string_view::npos || line[at] != '"') return {};
    std::string text;
    for (++at; at < line.size(); ++at) {
        if (line[at] == '"') {
            if (at + 1 == line.size() || line[at + 1] != '"') break;
            ++at;
        }
        text += line[at];
    }
    if (at == line.size()) return {};  // never closed
    at = std::min(line.find_first_not_of(blanks, at + 1), line.size());
    if (at < line.size() && line[at] != separator) return {};
    line.remove_prefix(at);
    return text;
}

}  // namespace

char find_separator(std::string_view header) {
    constexpr std::string_view kSeparators = ",;\t";
    std::array<std::size_t, kSeparators.size()> counts{};
    bool in_quotes = false;
    for (const char c : header) {
        if (c == '"') in_quotes = !in_quotes;
        const std::size_t which = kSeparators.find(c);
        if (!in_quotes && which != std::string_view::npos) ++counts[which];
    }
    // The first of several that are there equally often.
    const auto most = std::max_element(counts.begin(), counts.end());
    return kSeparators[static_cast<std::size_t>(most - counts.begin())];
}

std::string_view first_line(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text.substr(0, text.find('\n'));
}

Cells split_line(std::string_view line, char separator) {
    Cells cells;
    for (;;) {
        if (std::optional<std::string> text = take_quoted(line, separator)) {
            cells.texts.push_back(*std::move(text));
        } else {
            const std::size_t end = std::min(line.find(separator), line.size());
            cells.texts.emplace_back(without_blanks(line.substr(0, end)));
            if (cells.texts.back().find('"') != std::string::npos) cells.proper = false;
            line.remove_prefix(end);
        }
        if (line.empty()) return cells;
        line.remove_prefix(1);  // the separator
    }
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

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

namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 23U;

}  // namespace

LineReader::LineReader(const std::string &path)
    : file_(path, Unfolding::unlimited), buffer_(kBlockSize) {
    if (fill() && rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool LineReader::next(std::string &line) {
    line.clear();
    bool found = false;
    bool ended = false;
    too_long_ = false;
    while (!ended && (!rest_.empty() || fill())) {
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        too_long_ = too_long_ || line.size() + end > kLongestLine;
        too_long_ ? line.clear() : void(line.append(rest_.substr(0, end)));
        found = true;
        ended = end < rest_.size();
        rest_.remove_prefix(ended ? end + 1 : end);
    }
    if (line.ends_with('\r')) line.pop_back();
    return found;
}

bool LineReader::fill() {
    if (ended_) return false;
    const std::size_t count = file_.read(buffer_);
    ended_ = count < buffer_.size();
    rest_ = {buffer_.data(), count};
    return count > 0;
}

}  // namespace dpadapt::cli
