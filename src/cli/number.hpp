#pragma once

#include <string>
#include <string_view>

namespace dpadapt::cli {

/** A cell as a number, whatever the locale; blanks around it are ignored. "nan" and "inf" are
 * numbers. Throws CellError for anything else. */
[[nodiscard]] double parse_number(std::string_view cell);

/** The shortest text that reads back as the same number. */
[[nodiscard]] std::string to_text(double value);

}  // namespace dpadapt::cli
