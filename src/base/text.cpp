#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>

namespace dpadapt {

std::string to_text(double value) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

std::optional<double> parse_number(std::string_view text) {
    double value = 0.0;
#ifdef __cpp_lib_to_chars
    const char *end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end || text.empty()) return std::nullopt;
#else  // libc++: a locale of its own reads what from_chars reads, and more
    static const locale_t classic = newlocale(LC_ALL_MASK, "C", nullptr);
    const std::string all(text);
    const std::string_view size = text.substr(text.starts_with('-') ? 1 : 0);
    const bool is_word = size == "inf" || size == "nan";
    if (size.empty() || (!is_word && size.find_first_not_of("0123456789.eE+-") != size.npos) ||
        size.front() == '+' || size.front() == '-')
        return std::nullopt;
    char *end = nullptr;
    errno = 0;
    value = strtod_l(all.c_str(), &end, classic);
    const bool is_lost = errno == ERANGE && (value == 0.0 || std::isinf(value));
    if (end != all.c_str() + all.size() || is_lost) return std::nullopt;
#endif
    return value;
}

bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char letter) {
        return static_cast<unsigned char>(letter) >= 0x20 ? letter != 0x7f : letter == '\n';
    });
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t kMostCharacters = 80;
    if (text.size() <= kMostCharacters) return '"' + std::string(text) + '"';
    std::size_t end = kMostCharacters;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    return '"' + std::string(text.substr(0, end)) + "...\"";
}

}  // namespace dpadapt
