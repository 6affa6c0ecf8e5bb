#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dpadapt {

/** Shortest text that reads back as the same double; independent of the locale. */
[[nodiscard]] std::string to_text(double value);

/** Reads a whole text as a double, independent of the locale; nothing when it is not a number. */
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/** Whether a text from an untrusted place holds no control character but line ends: no zero that
 *  would cut it, nothing that a terminal would obey. */
[[nodiscard]] bool is_plain(std::string_view text);

/** A caller's text for a message, between quotes; cut between letters (UTF-8) if it is long. */
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace dpadapt
