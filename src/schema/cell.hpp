#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpadapt::schema {

/** A value of a table: nothing, a finite number, or a text. */
struct Cell {
    enum class Kind { missing, number, text };

    Kind kind = Kind::missing;
    double number = 0.0;
    std::string_view text;  ///< of a text, without blanks around it; it belongs to somebody else

    [[nodiscard]] static Cell of(double number) { return {Kind::number, number, {}}; }
    [[nodiscard]] static Cell of(std::string_view text) { return {Kind::text, 0.0, text}; }
};

/** How the texts of a file are read. Each cell is read by itself. */
struct Format {
    std::vector<std::string> missing;  ///< words for a missing value, beside the usual ones
    bool decimal_comma = false;        ///< 1,5 is a number as well as 1.5
};

/** What a text stands for. A missing value is an empty text or a word like NA, null or nan. What is
 *  beyond the range of double precision is a text. */
[[nodiscard]] Cell read_cell(std::string_view text, const Format &format);

/** Whether a word for a missing value means the cell: a text as it is, a number however either of
 *  them writes it. */
[[nodiscard]] bool is_missing_word(const Cell &cell, const std::vector<std::string> &words);

/** The value as a text, by which levels and labels are told apart: numbers in their shortest
 *  form. */
[[nodiscard]] std::string spelling(const Cell &cell);

/** A text without what nobody sees at its ends: blanks of Unicode (White_Space), and the letters of
 *  no width U+200B, U+2060 and U+FEFF. All else is a letter: blanks between letters, and a letter
 *  with its accent apart (NFD), which is another one than both together (NFC). */
[[nodiscard]] std::string_view without_blanks_around(std::string_view text) noexcept;

}  // namespace dpadapt::schema
