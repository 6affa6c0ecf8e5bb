#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/csv_reader.hpp"
#include "cli/input_file.hpp"

namespace dpadapt::cli {

/** What stands between the names of a header: a comma, a semicolon or a tab, whatever is there most
 *  often outside quotes. */
[[nodiscard]] char find_separator(std::string_view header);

/** The first line that is not blank. */
[[nodiscard]] std::string_view first_line(std::string_view text);

/** The cells of one line of a table, whatever its bytes are. */
struct Cells {
    std::vector<std::string> texts;
    bool proper = true;  // no quote had to be taken literally
};

/** Splits a line. A cell in quotes may hold separators, and a doubled quote for one; a quote that
 *  does not stand like this within the line is a letter like any other. */
[[nodiscard]] Cells split_line(std::string_view line, char separator = ',');

/** Without the blanks and tabs around it. */
[[nodiscard]] std::string_view without_blanks(std::string_view text);

/** Receives the content of a file with private rows. */
class RecordSink : public CsvSink {
  public:
    /** Begins a row; cell() and one of the ends follow.
     *  @param first  What stands before the line's first separator: no other cell can change it.
     *  @param last   What stands behind its last separator.
     *  @return       Whether the row is private. */
    virtual bool begin_row(std::string_view first, std::string_view last) = 0;

    /** Ends a private row that is no record. */
    virtual void end_null_row() = 0;
};

/** Reads a file with private rows, plain or gzip. The first line that is not blank is the header,
 *  which is public, and tells what stands between cells. What is wrong with it, or with public
 *  rows, is a Failure(kBadData). Every line below it is one row, whatever it holds, and no private
 *  one can cause a message or change what the others are. There may be no rows. */
void read_records(const std::string &path, RecordSink &sink);

/** The physical lines of a file, plain or gzip, without their ends (LF or CRLF). */
class LineReader {
  public:
    explicit LineReader(const std::string &path);

    /** The next line; false after the last one. A newline ends a line and begins no other. One
     *  longer than 8 MiB is given empty. */
    [[nodiscard]] bool next(std::string &line);

    /** Whether it was. */
    [[nodiscard]] bool too_long() const { return too_long_; }

  private:
    [[nodiscard]] bool fill();

    InputFile file_;
    std::vector<char> buffer_;
    std::string_view rest_;  // what of the buffer has not been given
    bool ended_ = false;
    bool too_long_ = false;
};

}  // namespace dpadapt::cli
