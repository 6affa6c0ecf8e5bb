#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <locale>
#include <sstream>

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
#else  // libc++: the classic locale reads what from_chars reads but inf and nan
    constexpr std::string_view kFirst = "-.0123456789";
    if (text.empty() || kFirst.find(text.front()) == std::string_view::npos) return std::nullopt;
    std::istringstream stream{std::string(text)};
    stream.imbue(std::locale::classic());
    if (!(stream >> value) || stream.peek() != std::istringstream::traits_type::eof())
        return std::nullopt;
#endif
    return value;
}

bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char letter) {
        return static_cast<unsigned char>(letter) >= 0x20 ? letter != 0x7f : letter == '\n';
    });
}

std::string quoted(std::string_view text) {
    constexpr std::size_t kMostCharacters = 80;
    if (text.size() <= kMostCharacters) return '"' + std::string(text) + '"';
    std::size_t end = kMostCharacters;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    return '"' + std::string(text.substr(0, end)) + "...\"";
}

}  // namespace dpadapt
