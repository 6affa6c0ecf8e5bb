#pragma once

#include <string>
#include <vector>

#include "cli/read/schema.hpp"
#include "cli/read/text.hpp"

namespace dpadapt::cli {

/** A value to be read by people: numbers with so many digits, a dash for what is not there; an
 *  infinite number is an open end. */
[[nodiscard]] std::string in_digits(const Json &value, int digits);

/** The same with 8 digits, and a dash for what is infinite, too. */
[[nodiscard]] std::string shown(const Json &value);

using Lines = std::vector<std::vector<std::string>>;

/** Cells in columns, as wide as their widest one. */
[[nodiscard]] std::string table(const Lines &lines);

}  // namespace dpadapt::cli
