#include "schema/cell.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "base/text.hpp"

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

using namespace std::string_view_literals;

constexpr std::array kBlanks{" "sv,      "\t"sv,     "\n"sv,     "\v"sv,     "\f"sv,     "\r"sv,
                             "\u0085"sv, "\u00A0"sv, "\u1680"sv, "\u2000"sv, "\u2001"sv, "\u2002"sv,
                             "\u2003"sv, "\u2004"sv, "\u2005"sv, "\u2006"sv, "\u2007"sv, "\u2008"sv,
                             "\u2009"sv, "\u200A"sv, "\u200B"sv, "\u2028"sv, "\u2029"sv, "\u202F"sv,
                             "\u205F"sv, "\u2060"sv, "\u3000"sv, "\uFEFF"sv};

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

std::string_view without_blanks_around(std::string_view text) noexcept {
    const auto cut = [&](const auto &is_there, const auto &remove) {
        for (bool found = true; found && !text.empty();) {
            const auto blank = std::find_if(kBlanks.begin(), kBlanks.end(), is_there);
            found = blank != kBlanks.end();
            if (found) remove(blank->size());
        }
    };
    // Nearly all texts end here: neither a blank of ASCII nor a part of another one.
    const auto is_plain = [](char c) { return c > ' ' && static_cast<unsigned char>(c) < 0x80U; };
    if (!text.empty() && is_plain(text.front()) && is_plain(text.back())) return text;
    cut([&](std::string_view blank) { return text.starts_with(blank); },
        [&](std::size_t size) { text.remove_prefix(size); });
    cut([&](std::string_view blank) { return text.ends_with(blank); },
        [&](std::size_t size) { text.remove_suffix(size); });
    return text;
}

}  // namespace dpadapt::schema
