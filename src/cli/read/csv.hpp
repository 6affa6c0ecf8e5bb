#pragma once

#include <limits>
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
    CsvSink &operator=(CsvSink &&) = delete;
    virtual ~CsvSink() = default;

    /** The names in the first line: UTF-8, not empty, all different; and what stands between cells.
     */
    virtual void header(const std::vector<std::string> &names, char separator) = 0;

    /** Of a file with private rows: begins a row; cell() and one of the ends follow.
     *  @param first  What stands before the line's first separator: no other cell can change it.
     *  @param last   What stands behind its last separator.
     *  @return       Whether the row is private. */
    virtual bool begin_row(std::string_view /*first*/, std::string_view /*last*/) { return false; }

    /** A cell of a row, in a column that the header has. */
    virtual void cell(std::size_t column, std::string_view text) = 0;

    /** All cells of the row have been given; it ends on that line of the file. */
    virtual void end_row(std::size_t line) = 0;

    /** Ends a private row that is no record. */
    virtual void end_null_row() {}
};

/** The cells of a row, whatever its bytes are. */
struct Cells {
    /** Why a cell is none of a table: a quote that is never closed, or stands where no quote may
     *  stand, or a CR. */
    enum class Fault { none, open, quote, cr };

    std::vector<std::string> texts;
    Fault fault = Fault::none;  // the first one, whose cell was taken literally
    std::size_t place = 0;      // of that cell
    std::size_t begin = 0;      // of that cell within the row
};

/** Splits a row. A cell in quotes may hold separators, and a doubled quote for one; a quote that
 *  does not stand like this within the row is a letter like any other.
 *  @param most  Cells to read: private rows with more are none, whatever memory they would take. */
[[nodiscard]] Cells split_row(std::string_view row, char separator = ',',
                              std::size_t most = std::numeric_limits<std::size_t>::max());

/** Reads a file of rows, plain or gzip, below a header, which is public and decides whether commas,
 *  semicolons or tabs stand between cells. LF and CRLF and a byte order mark are accepted. Throws
 *  Failure(kBadData) with the place of what is wrong with the header or with public rows.
 *
 *  Of public rows there must be one; blank lines are skipped, and a cell in quotes may have ends of
 *  lines. In a file with private rows each line below the header is one row, whatever it holds, and
 *  no private one can cause a message or change what the others are. There may be no rows. */
void read_csv(const std::string &path, CsvSink &sink, bool has_private_rows = false);

}  // namespace dpadapt::cli
