#include "base/text.hpp"

#include <sodium/utils.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/platform/read_number.hpp"

namespace dpadapt {
namespace {

constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL;

}  // namespace

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

std::string hexadecimal(std::span<const std::uint8_t> bytes) {
    std::string text(2 * bytes.size() + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
    text.pop_back();  // the final zero
    return text;
}

std::string base64(std::span<const std::uint8_t> bytes) {
    std::string text(sodium_base64_encoded_len(bytes.size(), kBase64), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kBase64);
    text.pop_back();  // the final zero
    return text;
}

std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text) {
    if (text.empty()) return std::vector<std::uint8_t>();  // libsodium takes no null pointer
    std::vector<std::uint8_t> bytes(text.size());
    std::size_t size = 0;
    if (sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &size,
                          nullptr, kBase64) != 0)
        return std::nullopt;
    bytes.resize(size);
    return bytes;
}

}  // namespace dpadapt
