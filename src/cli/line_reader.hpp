#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/input_file.hpp"

namespace dpadapt::cli {

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
