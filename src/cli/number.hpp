#pragma once

#include <string>
#include <string_view>

namespace dpadapt::cli {

/** Says why a text is no finite number. */
[[nodiscard]] std::string why_no_number(std::string_view text);

/** The shortest text that reads back as the same double. */
[[nodiscard]] std::string to_text(double value);

}  // namespace dpadapt::cli
