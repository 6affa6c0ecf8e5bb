#pragma once

#include <string>
#include <string_view>

#include "cli/csv_reader.hpp"

namespace dpadapt::cli {

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

}  // namespace dpadapt::cli
