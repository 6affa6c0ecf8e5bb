#include "schema/labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace dpadapt::schema {
namespace {

constexpr std::array<std::string_view, 6> kNegative{"-1", "0", "no", "n", "false", "f"};
constexpr std::array<std::string_view, 5> kPositive{"1", "yes", "y", "true", "t"};

}  // namespace

int usual_sign(const std::string &key) {
    const auto is = [&](const auto &words) {
        return std::find(words.begin(), words.end(), key) != words.end();
    };
    return is(kNegative) ? -1 : is(kPositive) ? 1 : 0;
}

Labels Labels::named(LabelKind kind, std::vector<std::string> names) {
    return {kind, std::move(names)};
}

Labels::Labels(LabelKind kind, std::vector<std::string> names)
    : kind_(kind), names_(std::move(names)) {
    const bool signs = kind_ == LabelKind::signs;
    std::vector<int> usual;
    for (std::size_t k = 0; k < names_.size(); ++k) {
        const std::string key = key_of(Cell::of(names_[k]));
        usual.push_back(usual_sign(key));
        codes_.emplace(key, signs ? (k == 0 ? -1.0 : 1.0) : static_cast<double>(k));
    }
    usual_ = signs && usual.size() == 2 && usual[0] * usual[1] == -1;
    if (!usual_) return;
    // The user may have called the other class the positive one.
    for (const std::string_view word : kNegative) codes_.emplace(word, usual[0] == -1 ? -1.0 : 1.0);
    for (const std::string_view word : kPositive) codes_.emplace(word, usual[0] == -1 ? 1.0 : -1.0);
}

std::string Labels::known() const {
    if (names_.empty()) return kind_ == LabelKind::numbers ? "a number" : "one of 0, 1, ...";
    constexpr std::size_t kMost = 20;
    std::string text;
    for (std::size_t k = 0; k < names_.size() && k < kMost; ++k)
        text += (k == 0 ? "" : k + 1 == names_.size() ? " or " : ", ") + names_[k];
    if (names_.size() > kMost) text += " or another of " + std::to_string(names_.size());
    if (!usual_) return text;
    return text + " (also -1 or 0 and 1, no and yes, n and y, false and true, f and t)";
}

double Labels::encode(const Cell &cell) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (cell.kind == Cell::Kind::missing) return none;
    if (names_.empty()) return cell.kind == Cell::Kind::number ? cell.number : none;
    const auto found = codes_.find(key_of(cell));
    return found == codes_.end() ? none : found->second;
}

std::string Labels::decode(double label) const {
    if (names_.empty() || std::isnan(label)) return to_text(label);
    if (kind_ == LabelKind::signs) return names_[label < 0.0 ? 0 : 1];
    if (!(label >= 0.0 && label < static_cast<double>(names_.size()))) return to_text(label);
    return names_[static_cast<std::size_t>(label)];
}

}  // namespace dpadapt::schema
