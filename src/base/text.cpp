#include "base/text.hpp"

#include <sodium/utils.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "base/platform/read_number.hpp"

namespace dpadapt {
namespace {

constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL;

}  // namespace

std::string to_text(double value) {
    if (std::isnan(value)) return "nan";  // some C++ libraries add its sign and its kind
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

std::string to_text(double value, int digits) {
    if (std::isnan(value)) return "nan";
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                      std::chars_format::general, digits);
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

std::string printable(std::string_view text, std::string_view kept) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t k = 0; k < text.size(); ++k) {
        const auto byte = static_cast<unsigned char>(text[k]);
        const auto next = static_cast<unsigned char>(k + 1 < text.size() ? text[k + 1] : 0);
        const bool is_c1 = byte == 0xC2 && next >= 0x80 && next < 0xA0;  // in UTF-8
        const bool is_control = (byte < 0x20 && kept.find(text[k]) == kept.npos) || byte == 0x7F;
        if (!is_c1 && !is_control) {
            result += text[k];
            continue;
        }
        result += "\\x" + hexadecimal({is_c1 ? &next : &byte, 1});
        k += is_c1 ? 1 : 0;
    }
    return result;
}

std::string coded(const std::string &code, const std::string &sentence) {
    return '[' + code + "] " + sentence;
}

Finding Finding::read(const std::string &kept) {
    const std::size_t end = kept.starts_with('[') ? kept.find("] ") : std::string::npos;
    if (end == std::string::npos) return {"other", kept};
    return {kept.substr(1, end - 1), kept.substr(end + 2)};
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t kMostCharacters = 80;
    if (text.size() <= kMostCharacters) return '"' + printable(text, "\t") + '"';
    std::size_t end = kMostCharacters;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    return '"' + printable(text.substr(0, end), "\t") + "...\"";
}

namespace {

/** Bytes of the letter that this one begins; 0 if it begins none. */
std::size_t length_of(unsigned first) noexcept {
    if (first == 0U) return 0;
    if (first < 0x80U) return 1;
    if (first < 0xC2U || first > 0xF4U) return 0;
    return first < 0xE0U ? 2 : first < 0xF0U ? 3 : 4;
}

/** Neither longer than needed, nor half of a pair, nor beyond the last letter. */
bool may_follow(unsigned first, unsigned second) noexcept {
    const unsigned least = first == 0xE0U ? 0xA0U : first == 0xF0U ? 0x90U : 0x80U;
    const unsigned most = first == 0xEDU ? 0x9FU : first == 0xF4U ? 0x8FU : 0xBFU;
    return second >= least && second <= most;
}

/** Letters that are put in, left out or changed between two words (Levenshtein, 1966), or change
 *  places with the next one. */
std::size_t edits(std::string_view one, std::string_view other) {
    std::vector<std::size_t> row(other.size() + 1);
    std::vector<std::size_t> above;  // of the letter before the last one
    std::vector<std::size_t> last;
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < one.size(); ++i) {
        above = std::exchange(last, row);
        std::size_t before = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < other.size(); ++j) {
            const std::size_t changed = before + (one[i] != other[j] ? 1 : 0);
            before = row[j + 1];
            row[j + 1] = std::min({changed, before + 1, row[j] + 1});
            if (i > 0 && j > 0 && one[i] == other[j - 1] && one[i - 1] == other[j])
                row[j + 1] = std::min(row[j + 1], above[j - 1] + 1);
        }
    }
    return row.back();
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = length_of(byte(at));
        if (length == 0 || length > text.size() - at) return false;
        if (length > 1 && !may_follow(byte(at), byte(at + 1))) return false;
        for (std::size_t k = 2; k < length; ++k)
            if ((byte(at + k) & 0xC0U) != 0x80U) return false;
        at += length;
    }
    return true;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> known) {
    constexpr std::size_t kMostLetters = 40;
    if (name.size() > kMostLetters || known.empty()) return "";
    const auto near =
        std::ranges::min_element(known, {}, [&](auto one) { return edits(name, one); });
    const bool close = edits(name, *near) <= std::min<std::size_t>(2, name.size() / 3);
    return close ? "; did you mean " + in_quotes(*near) + "?" : "";
}

std::string in_html(std::string_view text) {
    std::string result;
    for (const char c : text)
        result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return result;
}

std::string in_utc(std::uint64_t seconds) {
    seconds %= 253402300800U;  // year 9999
    const std::chrono::sys_days day(std::chrono::days(seconds / 86400));
    const std::chrono::year_month_day date(day);
    const auto rest = static_cast<unsigned>(seconds % 86400);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02u:%02u:%02uZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), rest / 3600, rest / 60 % 60, rest % 60);
    return text.data();
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
