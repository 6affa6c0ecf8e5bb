#pragma once

#include <cerrno>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

namespace dpadapt::platform {

/** Whether the whole text is a number as std::from_chars reads one. */
inline bool read_number(std::string_view text, double &value) {
#if defined(__cpp_lib_to_chars) || (defined(_LIBCPP_VERSION) && _LIBCPP_VERSION >= 200000)
    const char *end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    return result.ec == std::errc{} && result.ptr == end && !text.empty();
#else  // earlier libc++: a locale of its own reads what from_chars reads, and more
    static const locale_t classic = newlocale(LC_ALL_MASK, "C", nullptr);
    const std::string all(text);
    const std::string_view size = text.substr(text.starts_with('-') ? 1 : 0);
    const bool is_word = size == "inf" || size == "nan";
    if (size.empty() || (!is_word && size.find_first_not_of("0123456789.eE+-") != size.npos) ||
        size.front() == '+' || size.front() == '-')
        return false;
    char *end = nullptr;
    errno = 0;
    value = strtod_l(all.c_str(), &end, classic);
    const bool is_lost = errno == ERANGE && (value == 0.0 || std::isinf(value));
    return end == all.c_str() + all.size() && !is_lost;
#endif
}

}  // namespace dpadapt::platform
