#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace dpadapt::cli
