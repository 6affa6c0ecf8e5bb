#include "schema/cell.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "schema/blanks.hpp"

namespace dpadapt::schema {
namespace {

constexpr std::array<std::string_view, 11> kMissing{"",    "NA",   "N/A",  "n/a", "na", "NaN",
                                                    "nan", "NULL", "null", ".",   "?"};
constexpr std::size_t kLongestNumber = 1000;  // of a decimal comma: it is copied

std::optional<double> number(std::string_view text, bool decimal_comma) {
    const std::size_t comma = text.find(',');
    if (comma != std::string_view::npos) {
        const bool once = text.find_first_of(",.", comma + 1) == std::string_view::npos;
        if (!decimal_comma || !once || text.size() > kLongestNumber) return {};
        std::string with_point(text);
        with_point[comma] = '.';
        return number(with_point, false);
    }
    // std::from_chars knows no plus sign.
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const std::optional<double> value = parse_number(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

Cell read_cell(std::string_view text, const Format &format) {
    text = without_blanks_around(text);
    if (std::find(kMissing.begin(), kMissing.end(), text) != kMissing.end()) return {};
    const std::optional<double> value = number(text, format.decimal_comma);
    const Cell cell = value ? Cell::of(*value) : Cell::of(text);
    return is_missing_word(cell, format.missing) ? Cell() : cell;
}

bool is_missing_word(const Cell &cell, const std::vector<std::string> &words) {
    return std::any_of(words.begin(), words.end(), [&](const std::string &word) {
        return cell.kind == Cell::Kind::number
                   ? number(without_blanks_around(word), true) == cell.number
                   : cell.text == without_blanks_around(word);
    });
}

std::string spelling(const Cell &cell) {
    if (cell.kind == Cell::Kind::number) return to_text(cell.number == 0.0 ? 0.0 : cell.number);
    return std::string(cell.text);
}

}  // namespace dpadapt::schema
