#include "cli/closest.hpp"

#include <algorithm>
#include <utility>

namespace dpadapt::cli {
namespace {

/** Letters to change, insert or leave out, capital ones apart. */
std::size_t edit_distance(const std::string &a, const std::string &b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : int{c}; };
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string closest(const std::string &written, const std::vector<std::string> &names) {
    std::string best;
    std::size_t least = 1 + std::min<std::size_t>(2, written.size() / 3);
    for (const std::string &name : names) {
        const std::size_t longer = std::max(written.size(), name.size());
        if (longer - std::min(written.size(), name.size()) >= least) continue;
        const std::size_t edits = edit_distance(written, name);
        if (edits >= least) continue;
        least = edits;
        best = name;
    }
    return best;
}

std::string did_you_mean(const std::string &written, const std::vector<std::string> &names) {
    const std::string close = closest(written, names);
    return close.empty() ? "" : " (did you mean \"" + close + "\"?)";
}

}  // namespace dpadapt::cli
