#include "cli/record_line.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace dpadapt::cli {
namespace {

/** A tab may be a separator itself. */
const char *blanks_beside(char separator) { return separator == '\t' ? " " : " \t"; }

/** Takes a cell in quotes, up to the separator behind it, from the beginning of the line. */
std::optional<std::string> take_quoted(std::string_view &line, char separator) {
    const char *const blanks = blanks_beside(separator);
    std::size_t at = line.find_first_not_of(blanks);
    if (at == std::string_view::npos || line[at] != '"') return {};
    std::string text;
    for (++at; at < line.size(); ++at) {
        if (line[at] == '"') {
            if (at + 1 == line.size() || line[at + 1] != '"') break;
            ++at;
        }
        text += line[at];
    }
    if (at == line.size()) return {};  // never closed
    at = std::min(line.find_first_not_of(blanks, at + 1), line.size());
    if (at < line.size() && line[at] != separator) return {};
    line.remove_prefix(at);
    return text;
}

}  // namespace

char find_separator(std::string_view header) {
    constexpr std::string_view kSeparators = ",;\t";
    std::array<std::size_t, kSeparators.size()> counts{};
    bool in_quotes = false;
    for (const char c : header) {
        if (c == '"') in_quotes = !in_quotes;
        const std::size_t which = kSeparators.find(c);
        if (!in_quotes && which != std::string_view::npos) ++counts[which];
    }
    // The first of several that are there equally often.
    const auto most = std::max_element(counts.begin(), counts.end());
    return kSeparators[static_cast<std::size_t>(most - counts.begin())];
}

std::string_view first_line(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text.substr(0, text.find('\n'));
}

Cells split_line(std::string_view line, char separator) {
    Cells cells;
    for (;;) {
        if (std::optional<std::string> text = take_quoted(line, separator)) {
            cells.texts.push_back(*std::move(text));
        } else {
            const std::size_t end = std::min(line.find(separator), line.size());
            cells.texts.emplace_back(without_blanks(line.substr(0, end)));
            if (cells.texts.back().find('"') != std::string::npos) cells.proper = false;
            line.remove_prefix(end);
        }
        if (line.empty()) return cells;
        line.remove_prefix(1);  // the separator
    }
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace dpadapt::cli
