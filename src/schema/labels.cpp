#include "schema/labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text.hpp"

namespace dpadapt::schema {

Labels Labels::named(LabelKind kind, std::vector<std::string> names) {
    return {kind, std::move(names)};
}

Labels::Labels(LabelKind kind, std::vector<std::string> names)
    : kind_(kind), names_(std::move(names)), spellings_(names_, names_.size()) {}

std::string Labels::known() const {
    if (names_.empty()) return kind_ == LabelKind::numbers ? "a number" : "one of 0, 1, ...";
    constexpr std::size_t kMost = 20;
    std::string text;
    for (std::size_t k = 0; k < names_.size() && k < kMost; ++k)
        text += (k == 0 ? "" : k + 1 == names_.size() ? " or " : ", ") + names_[k];
    if (names_.size() > kMost) text += " or another of " + std::to_string(names_.size());
    if (!spellings_.is_pair()) return text;
    return text + " (also -1 or 0 and 1, no and yes, n and y, false and true, f and t)";
}

double Labels::encode(const Cell &cell) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (cell.kind == Cell::Kind::missing) return none;
    if (names_.empty()) return cell.kind == Cell::Kind::number ? cell.number : none;
    const std::optional<std::size_t> found = spellings_.find(cell);
    if (!found) return none;
    return kind_ == LabelKind::signs ? (*found == 0 ? -1.0 : 1.0) : static_cast<double>(*found);
}

std::string Labels::decode(double label) const {
    if (names_.empty() || std::isnan(label)) return to_text(label);
    if (kind_ == LabelKind::signs) return names_[label < 0.0 ? 0 : 1];
    if (!(label >= 0.0 && label < static_cast<double>(names_.size()))) return to_text(label);
    return names_[static_cast<std::size_t>(label)];
}

namespace {

constexpr std::array<std::string_view, 6> kNegative{"-1", "0", "no", "n", "false", "f"};
constexpr std::array<std::string_view, 5> kPositive{"1", "yes", "y", "true", "t"};

/** Letters and digits mean other things, too, where there are more than two texts. */
bool is_whole_word(const std::string &text) { return text.size() > 1 && text[0] != '-'; }

}  // namespace

std::string without_capitals(std::string text) {
    // Of ASCII alone, so that it does not depend on the locale.
    for (char &c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

int usual_sign(const std::string &text) {
    const std::string word = without_capitals(text);
    const auto is = [&](const auto &words) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    return is(kNegative) ? -1 : is(kPositive) ? 1 : 0;
}

Spellings::Spellings(const std::vector<std::string> &texts, std::size_t common) {
    std::array<std::size_t, 2> found{};
    bool are_words = true;
    for (std::size_t k = 0; k < texts.size(); ++k) {
        exact_.emplace(texts[k], k);
        const auto [place, is_new] = folded_.emplace(without_capitals(texts[k]), k);
        if (!is_new) place->second.reset();
        const int sign = k < common ? usual_sign(texts[k]) : 0;
        if (sign == 0) continue;
        ++found[sign < 0 ? 0 : 1];
        (sign < 0 ? no_ : yes_) = k;
        are_words = are_words && is_whole_word(texts[k]);
    }
    if (found[0] != 1 || found[1] != 1 || (common > 2 && !are_words)) no_ = yes_ = {};
}

std::optional<std::size_t> Spellings::find(const Cell &cell) const {
    if (cell.kind == Cell::Kind::missing) return {};
    const std::string text = spelling(cell);
    if (const auto found = exact_.find(text); found != exact_.end()) return found->second;
    if (const auto found = folded_.find(without_capitals(text)); found != folded_.end())
        return found->second;
    const int sign = is_pair() ? usual_sign(text) : 0;
    if (sign == 0) return {};
    return sign < 0 ? no_ : yes_;
}

bool Spellings::has_twin(const std::string &text) const {
    const auto found = folded_.find(without_capitals(text));
    return found != folded_.end() && !found->second;
}

}  // namespace dpadapt::schema
