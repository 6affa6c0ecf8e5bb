#include "cli/number.hpp"

#include <array>
#include <charconv>

#include "cli/csv_reader.hpp"

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

double parse_number(std::string_view cell) {
    std::string_view text = trim(cell);
    if (text.empty()) throw CellError("the cell is empty, a number is needed");
    // std::from_chars knows no plus sign.
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double value = 0.0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc::result_out_of_range && stop == end) {
        throw CellError(quoted(cell) + " is beyond the range of double precision");
    }
    if (error != std::errc{} || stop != end) throw CellError(quoted(cell) + " is not a number");
    return value;
}

// As in base/text.cpp, which is not there for users of the public headers.
std::string to_text(double value) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

}  // namespace dpadapt::cli
