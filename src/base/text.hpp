#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dpadapt {

/** Shortest text that reads back as the same double; independent of the locale. */
[[nodiscard]] std::string to_text(double value);
/** The same with so many digits. */
[[nodiscard]] std::string to_text(double value, int digits);

/** Reads a whole text as a double, independent of the locale; nothing when it is not a number. */
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/** Whether a text from an untrusted place holds no control character but line ends: no zero that
 *  would cut it, nothing that a terminal would obey. */
[[nodiscard]] bool is_plain(std::string_view text);

/** Whether JSON and C can hold the text: UTF-8 (RFC 3629), each letter in its shortest form, and no
 *  zero. */
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/** The text for a terminal: control characters, which a cell of any file can have, are told and not
 *  obeyed. */
[[nodiscard]] std::string printable(std::string_view text, std::string_view kept = "\n\t");

/** A caller's text for a message, printable, between quotes; cut between letters (UTF-8) if it is
 *  long. */
[[nodiscard]] std::string in_quotes(std::string_view text);

/** What a message about a wrong name ends with: "; did you mean" the nearest of the known ones, or
 *  nothing where none is near. */
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       std::span<const std::string_view> known);

/** A sentence for people with the code that programs know it by, as it is kept. */
[[nodiscard]] std::string coded(const std::string &code, const std::string &sentence);

struct Finding {
    std::string code;  ///< "other" of what has none, in files of earlier versions
    std::string sentence;

    [[nodiscard]] bool is_warning() const { return sentence.find("WARNING: ") != sentence.npos; }
    [[nodiscard]] static Finding read(const std::string &kept);
};

/** The text as it must stand in HTML. */
[[nodiscard]] std::string in_html(std::string_view text);

/** Of seconds since 1970, UTC, as ISO 8601 writes it. */
[[nodiscard]] std::string in_utc(std::uint64_t seconds);

/** In digits and small letters. */
[[nodiscard]] std::string hexadecimal(std::span<const std::uint8_t> bytes);

[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

/** Nothing unless the text is what base64() writes. */
[[nodiscard]] std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text);

}  // namespace dpadapt
