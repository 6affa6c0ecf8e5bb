#include "cli/read/csv.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cli/read/columns.hpp"
#include "cli/read/failure.hpp"
#include "cli/read/files.hpp"
#include "cli/read/text.hpp"

namespace dpadapt::cli {
namespace {

/** What is wrong with lines of the early Macintosh. */
constexpr const char *kLoneCr = "has a CR; lines must end by LF or CRLF";
constexpr const char *kLongCell = "has a cell longer than 1 MiB; is a closing quote missing?";
constexpr const char *kLongLine = "is longer than 8 MiB";
constexpr std::size_t kLongestCell = std::size_t{1} << 20U;
constexpr std::size_t kLongestLine = std::size_t{1} << 23U;
constexpr std::size_t kKeptEnd = std::size_t{1} << 16U;  // of either end of a longer line

using Fault = Cells::Fault;

/** A tab may be a separator itself. */
const char *blanks_beside(char separator) { return separator == '\t' ? " " : " \t"; }

std::string_view without_cr(std::string_view line) {
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/** Takes a cell in quotes, up to the separator behind it, from the beginning of the row; none where
 *  there is no such cell. */
std::optional<std::string> take_quoted(std::string_view &row, char separator, Fault &fault) {
    const char *const blanks = blanks_beside(separator);
    std::size_t at = row.find_first_not_of(blanks);
    if (at == std::string_view::npos || row[at] != '"') return {};
    std::string text;
    for (++at; at < row.size(); ++at) {
        if (row[at] == '"') {
            if (at + 1 == row.size() || row[at + 1] != '"') break;
            ++at;
        }
        text += row[at];
    }
    fault = at == row.size() ? Fault::open : Fault::none;
    if (fault == Fault::open) return {};
    at = std::min(row.find_first_not_of(blanks, at + 1), row.size());
    if (at < row.size() && row[at] != separator) {
        fault = row[at] == '\r' ? Fault::cr : Fault::quote;
        return {};
    }
    row.remove_prefix(at);
    return text;
}

/** What stands between the names of a header: whatever is there most often outside quotes. */
char find_separator(std::string_view header) {
    constexpr std::string_view kSeparators = ",;\t";
    std::array<std::size_t, kSeparators.size()> counts{};
    bool in_quotes = false;
    for (const char c : header) {
        if (c == '"') in_quotes = !in_quotes;
        if (const auto k = kSeparators.find(c); !in_quotes && k < counts.size()) ++counts[k];
    }
    // The first of several that are there equally often.
    return kSeparators[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
}

/** The physical lines of a file, without the LF at their ends. */
class LineReader {
  public:
    LineReader(const std::string &path, Unfolding unfolding)
        : file_(path, unfolding), buffer_(kBlockSize) {
        if (fill() && rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
    }

    /** The next line; false after the last one. A newline ends a line and begins no other. Of one
     *  longer than 8 MiB only its ends are given. */
    [[nodiscard]] bool next(std::string &line) {
        line.clear();
        bool found = false;
        bool ended = false;
        too_long_ = false;
        while (!ended && (!rest_.empty() || fill())) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            too_long_ = too_long_ || line.size() + end > kLongestLine;
            line.append(rest_.substr(0, end));
            if (too_long_) line.erase(kKeptEnd, line.size() - 2 * kKeptEnd);
            found = true;
            ended = end < rest_.size();
            rest_.remove_prefix(ended ? end + 1 : end);
        }
        return found;
    }

    /** Whether it was. */
    [[nodiscard]] bool too_long() const { return too_long_; }

  private:
    [[nodiscard]] bool fill() {
        if (ended_) return false;
        const std::size_t count = file_.read(buffer_);
        ended_ = count < buffer_.size();
        rest_ = {buffer_.data(), count};
        return count > 0;
    }

    InputFile file_;
    std::vector<char> buffer_;
    std::string_view rest_;  // what of the buffer has not been given
    bool ended_ = false;
    bool too_long_ = false;
};

/** Keeps the position and the rules; a row's text is gone when the next line is read. */
class Reader {
  public:
    Reader(const std::string &path, CsvSink &sink, bool is_private)
        : path_(path),
          is_private_(is_private),
          lines_(path, is_private ? Unfolding::unlimited : Unfolding::limited),
          sink_(sink) {}

    void read() {
        do {
            if (!next()) throw Failure(kBadData, path_ + ": the file is empty");
            if (lines_.too_long()) throw failure(number_, kLongLine);
        } while (without_blanks(without_cr(line_)).empty());
        read_header();
        if (is_private_) {
            while (next()) private_row();
            return;
        }
        bool has_rows = false;
        while (next()) {
            const bool is_blank =
                without_blanks(without_cr(line_), blanks_beside(separator_)).empty();
            if (is_blank && !lines_.too_long()) continue;
            has_rows = true;
            if (const std::optional<Failure> damage = give(public_row().texts))
                throw Failure(*damage);
            sink_.end_row(number_);
        }
        if (!has_rows) throw Failure(kBadData, path_ + ": there are no rows below the header");
    }

  private:
    bool next() {
        ++number_;
        return lines_.next(line_);
    }

    void read_header() {
        separator_ = find_separator(line_);
        if (!is_private_) {
            names_ = public_row().texts;
        } else {
            const std::string_view line = without_cr(line_);
            // With such ends the whole file is one line, and a message about it would show rows.
            if (line.find('\r') != std::string_view::npos) throw failure(number_, kLoneCr);
            const Cells header = split_row(line, separator_);
            if (header.fault != Fault::none)
                throw failure(number_, "is a header with a misplaced quote");
            names_ = header.texts;
        }
        check_names();
        sink_.header(names_, separator_);
    }

    /** They must be UTF-8, not empty, and all different. Where rows are private they may be cells
     *  of one: the header was forgotten. */
    void check_names() const {
        constexpr const char *kIndex =
            "; if it counts the rows, write the file without it (in R write.csv(..., row.names = "
            "FALSE), in pandas to_csv(..., index=False)), or name it and leave it out by --ignore "
            "NAME";
        for (std::size_t column = 0; column < names_.size(); ++column) {
            const std::string place = place_in_file(path_, number_, column);
            if (names_[column].empty())
                throw Failure(kBadData,
                              place + ": the column has no name" +
                                  (column == 0 ? kIndex : "; is there a separator too many?"));
            if (!is_utf8(names_[column]))
                throw Failure(kBadData,
                              place +
                                  ": the name is not UTF-8 text (iconv -f LATIN1 -t UTF-8, "
                                  "or -f UTF-16, makes such files)");
        }
        const std::string twice = repeated_name(names_);
        if (twice.empty()) return;
        throw failure(number_, is_private_ ? "names two columns alike; is it a header?"
                                           : "names two columns \"" + twice + '"');
    }

    void private_row() {
        const std::string_view line = without_cr(line_);
        const std::size_t last = line.rfind(separator_) + 1;  // 0 without any
        const bool is_private =
            sink_.begin_row(line.substr(0, line.find(separator_)), line.substr(last));
        const std::optional<Failure> damage =
            lines_.too_long() ? failure(number_, kLongLine)
                              : give(split_row(line, separator_, names_.size() + 1).texts);
        if (damage && !is_private) throw Failure(*damage);
        damage ? sink_.end_null_row() : sink_.end_row(number_);
    }

    /** The cells of the row that begins here and may go on in the next lines. */
    Cells public_row() {
        const std::size_t first = number_;
        if (lines_.too_long()) throw failure(first, kLongLine);
        Cells cells = split_row(without_cr(line_), separator_);
        if (cells.fault == Fault::open) {
            const std::string row = joined_lines(first, cells.begin);
            cells = split_row(without_cr(row), separator_);
        }
        if (cells.fault == Fault::open)
            throw failure(first, "starts a quoted cell that is never closed");
        if (cells.fault == Fault::cr) throw failure(number_, kLoneCr);
        if (cells.fault == Fault::quote) throw failure_at(cells.place, "misplaced quote");
        for (const std::string &text : cells.texts)
            if (text.size() > kLongestCell) throw failure(first, kLongCell);
        return cells;
    }

    /** This line, whose last cell goes on, and those below up to one that ends a cell. */
    std::string joined_lines(std::size_t first, std::size_t begin) {
        std::string row = line_;
        for (bool is_open = true; is_open;) {
            if (row.size() - begin > kLongestCell) throw failure(first, kLongCell);
            if (!next()) return row;
            is_open = std::count(line_.begin(), line_.end(), '"') % 2 == 0;
            (row += '\n') += line_;
            if (lines_.too_long() || row.size() > kLongestLine) throw failure(first, kLongLine);
        }
        return row;
    }

    /** Gives the cells to the sink. @return what is wrong with the row. */
    std::optional<Failure> give(const std::vector<std::string> &cells) {
        for (std::size_t column = 0; column < std::min(cells.size(), names_.size()); ++column) {
            try {
                sink_.cell(column, cells[column]);
            } catch (const CellError &error) {
                return failure_at(column, error.what());
            }
        }
        if (cells.size() == names_.size()) return {};
        return failure(number_, "has " + std::to_string(cells.size()) +
                                    " fields, but the header has " + std::to_string(names_.size()));
    }

    [[nodiscard]] Failure failure_at(std::size_t column, const std::string &reason) const {
        const std::string name = column < names_.size() ? names_[column] : "";
        return {kBadData, place_in_file(path_, number_, column, name) + ": " + reason};
    }

    [[nodiscard]] Failure failure(std::size_t line, const std::string &rule) const {
        return {kBadData, path_ + ": line " + std::to_string(line) + ' ' + rule};
    }

    std::string path_;
    bool is_private_;  // some rows are
    LineReader lines_;
    CsvSink &sink_;
    std::string line_;
    char separator_ = ',';
    std::size_t number_ = 0;  // of the line
    std::vector<std::string> names_;
};

}  // namespace

Cells split_row(std::string_view row, char separator, std::size_t most) {
    Cells cells;
    const char *const begin = row.data();
    for (;;) {
        Fault fault = Fault::none;
        if (std::optional<std::string> text = take_quoted(row, separator, fault)) {
            cells.texts.push_back(*std::move(text));
        } else {
            const std::size_t end = std::min(row.find(separator), row.size());
            const std::string_view cell = row.substr(0, end);
            if (fault == Fault::none && cell.find('"') != std::string::npos) fault = Fault::quote;
            if (fault == Fault::none && cell.find('\r') != std::string::npos) fault = Fault::cr;
            if (cells.fault == Fault::none && fault != Fault::none) {
                cells.fault = fault;
                cells.place = cells.texts.size();
                cells.begin = static_cast<std::size_t>(row.data() - begin);
            }
            cells.texts.emplace_back(without_blanks(cell));
            row.remove_prefix(end);
        }
        if (row.empty() || cells.texts.size() == most) return cells;
        row.remove_prefix(1);  // the separator
    }
}

void read_csv(const std::string &path, CsvSink &sink, bool has_private_rows) {
    Reader(path, sink, has_private_rows).read();
}

}  // namespace dpadapt::cli
