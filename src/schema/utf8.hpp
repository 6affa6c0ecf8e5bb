#pragma once

#include <string_view>

namespace dpadapt {

/** Whether JSON and C can hold the text: UTF-8 (RFC 3629), each letter in its shortest form, and no
 *  zero. */
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace dpadapt
