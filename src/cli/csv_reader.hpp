#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dpadapt::cli {

/** Thrown by a sink for a cell that it cannot use; the reader adds file, line and column. */
class CellError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/** Receives the content of a CSV file in order, so that no copy of the text is kept. */
class CsvSink {
  public:
    CsvSink() = default;
    CsvSink(const CsvSink &) = delete;
    CsvSink &operator=(const CsvSink &) = delete;
    virtual ~CsvSink() = default;

    /** The names in the first line: UTF-8, not empty, all different; and what stands between cells.
     */
    virtual void header(const std::vector<std::string> &names, char separator) = 0;

    /** A cell of a row, in a column that the header has. */
    virtual void cell(std::size_t column, std::string_view text) = 0;

    /** All cells of the row have been given; it ends on that line of the file. */
    virtual void end_row(std::size_t line) = 0;
};

/** Reads a file of public rows, plain or gzip, with at least one row below a header, which tells
 *  whether commas, semicolons or tabs stand between cells. Blank lines are skipped; LF and CRLF and
 *  a byte order mark are accepted. Throws Failure(kBadData) with the place of what is wrong. */
void read_csv(const std::string &path, CsvSink &sink);

}  // namespace dpadapt::cli
