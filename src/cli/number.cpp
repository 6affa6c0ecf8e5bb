#include "cli/number.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace dpadapt::cli {
namespace {

std::string_view trim(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string quoted(std::string_view cell) {
    constexpr std::size_t kLongest = 40;
    const bool cut = cell.size() > kLongest;
    return '"' + std::string(cell.substr(0, kLongest)) + (cut ? "...\"" : "\"");
}

}  // namespace

std::string why_no_number(std::string_view text) {
    const std::string_view number = trim(text);
    double value = 0.0;
    const char *end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, value);
    if (number.empty()) return "there is no value";
    if (error == std::errc::result_out_of_range && stop == end)
        return quoted(text) + " is beyond the range of double precision";
    const bool is_infinite = error == std::errc{} && stop == end && !std::isfinite(value);
    return quoted(text) + (is_infinite ? " is not a finite number" : " is not a number");
}

// As in base/text.cpp, which is not there for users of the public headers.
std::string to_text(double value) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

}  // namespace dpadapt::cli
