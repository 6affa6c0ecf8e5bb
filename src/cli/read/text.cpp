#include "cli/read/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace dpadapt::cli {

std::string in_lines(const std::vector<std::string> &lines) {
    std::string text;
    for (const std::string &line : lines)
        text += (text.empty() ? "" : "\n  ") + printable(line, "\t");
    return text;
}

std::string_view without_blanks(std::string_view text, const char *blanks) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

namespace {

std::string quoted(std::string_view cell) {
    constexpr std::size_t kLongest = 40;
    const bool cut = cell.size() > kLongest;
    return '"' + std::string(cell.substr(0, kLongest)) + (cut ? "...\"" : "\"");
}

}  // namespace

std::string why_no_number(std::string_view text) {
    const std::string_view number = without_blanks(text, " \t\r\n");
    double value = 0.0;
    const char *end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, value);
    if (number.empty()) return "there is no value";
    if (error == std::errc::result_out_of_range && stop == end)
        return quoted(text) + " is beyond the range of double precision";
    const bool is_infinite = error == std::errc{} && stop == end && !std::isfinite(value);
    return quoted(text) + (is_infinite ? " is not a finite number" : " is not a number");
}

std::string joined(const std::vector<std::string> &texts, const char *between) {
    std::string all;
    for (const std::string &text : texts) all += (&text == texts.data() ? "" : between) + text;
    return all;
}

std::size_t whole_number(const std::string &text, std::size_t most) {
    std::size_t number = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end && number <= most ? number : 0;
}

std::string repeated_name(const std::vector<std::string> &names) {
    std::set<std::string_view> seen;
    for (const std::string &name : names)
        if (!seen.insert(name).second) return name;
    return {};
}

bool contains(const std::vector<std::string> &names, const std::string &name) {
    return place_among(names, name) < names.size();
}

std::size_t place_among(const std::vector<std::string> &names, const std::string &name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace dpadapt::cli
