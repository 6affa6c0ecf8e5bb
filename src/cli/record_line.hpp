#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpadapt::cli {

/** The cells of one line of comma-separated text, whatever its bytes are. */
struct Cells {
    std::vector<std::string> texts;
    bool proper = true;  // no quote had to be taken literally
};

/** Splits a line. A cell in quotes may hold commas, and a doubled quote for one; a quote that does
 *  not stand like this within the line is a letter like any other. */
[[nodiscard]] Cells split_line(std::string_view line);

/** Without the blanks and tabs around it. */
[[nodiscard]] std::string_view without_blanks(std::string_view text);

}  // namespace dpadapt::cli
