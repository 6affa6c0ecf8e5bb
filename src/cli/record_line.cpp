#include "cli/record_line.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace dpadapt::cli {
namespace {

/** Takes a cell in quotes, up to the comma behind it, from the beginning of the line. */
std::optional<std::string> take_quoted(std::string_view &line) {
    std::size_t at = line.find_first_not_of(" \t");
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
    at = std::min(line.find_first_not_of(" \t", at + 1), line.size());
    if (at < line.size() && line[at] != ',') return {};
    line.remove_prefix(at);
    return text;
}

}  // namespace

Cells split_line(std::string_view line) {
    Cells cells;
    for (;;) {
        if (std::optional<std::string> text = take_quoted(line)) {
            cells.texts.push_back(*std::move(text));
        } else {
            const std::size_t end = std::min(line.find(','), line.size());
            cells.texts.emplace_back(without_blanks(line.substr(0, end)));
            if (cells.texts.back().find('"') != std::string::npos) cells.proper = false;
            line.remove_prefix(end);
        }
        if (line.empty()) return cells;
        line.remove_prefix(1);  // the comma
    }
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace dpadapt::cli
