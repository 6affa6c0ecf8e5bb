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

/** Damage to a private row must go unnoticed; of a row that may be private, nothing is shown. */
enum class RowKind { kPublic, kPrivate, kUnknown };

/** Receives the content of a CSV file in order, so that no copy of the text is kept. */
class CsvSink {
  public:
    CsvSink() = default;
    CsvSink(const CsvSink &) = delete;
    CsvSink &operator=(const CsvSink &) = delete;
    virtual ~CsvSink() = default;

    /** The names in the first line: UTF-8, not empty, all different. */
    virtual void header(const std::vector<std::string> &names) = 0;

    /** A cell of a row, in a column that the header has. */
    virtual void cell(std::size_t column, std::string_view text) = 0;

    /** All cells of the row have been given.
     *  @param damaged  A cell could not be used, or there were more or fewer than in the header. */
    virtual void end_row(bool damaged) = 0;

    /** What the current row is, as far as its cells tell so far. */
    [[nodiscard]] virtual RowKind row_kind() const = 0;

    /** Whether any row can be private. */
    [[nodiscard]] virtual bool has_private_rows() const = 0;
};

/** Reads a comma-separated file, plain or gzip, with a header and at least one row. Blank lines are
 *  skipped; LF and CRLF and a byte order mark are accepted. Throws Failure(kBadData), but not for
 *  damage to a private row, unless it is a quote, which spoils what follows as well. */
void read_csv(const std::string &path, CsvSink &sink);

/** The first name that occurs twice; empty when all are different. */
[[nodiscard]] std::string repeated_name(const std::vector<std::string> &names);

}  // namespace dpadapt::cli
