#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/platform/read_number.hpp"

namespace dpadapt {

std::string to_text(double value) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

std::optional<double> parse_number(std::string_view text) {
    double value = 0.0;
    if (!platform::read_number(text, value)) return std::nullopt;
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
