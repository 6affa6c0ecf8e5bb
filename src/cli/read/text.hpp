#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace dpadapt::cli {

/** Each of them in one line, whatever its cells and names hold; all but the first are indented. */
[[nodiscard]] std::string in_lines(const std::vector<std::string> &lines);

/** The text without such letters at its ends. */
[[nodiscard]] std::string_view without_blanks(std::string_view text, const char *blanks = " \t");

/** A whole number from 1 to `most`; 0 for any other text. */
[[nodiscard]] std::size_t whole_number(const std::string &text, std::size_t most);

/** Says why a text is no finite number. */
[[nodiscard]] std::string why_no_number(std::string_view text);

/** Such as "a, b". */
[[nodiscard]] std::string joined(const std::vector<std::string> &texts, const char *between = ", ");

/** The first text that occurs twice; empty when all are different. */
[[nodiscard]] std::string repeated_name(const std::vector<std::string> &names);

[[nodiscard]] bool contains(const std::vector<std::string> &names, const std::string &name);

/** The place of the name, or how many there are. */
[[nodiscard]] std::size_t place_among(const std::vector<std::string> &names,
                                      const std::string &name);

}  // namespace dpadapt::cli
