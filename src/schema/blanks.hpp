#pragma once

#include <string_view>

namespace dpadapt::schema {

/** A text without what nobody sees at its ends: blanks of Unicode (White_Space), and the letters of
 *  no width U+200B, U+2060 and U+FEFF. All else is a letter: blanks between letters, and a letter
 *  with its accent apart (NFD), which is another one than both together (NFC). */
[[nodiscard]] std::string_view without_blanks_around(std::string_view text) noexcept;

}  // namespace dpadapt::schema
