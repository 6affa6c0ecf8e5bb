#include "schema/spellings.hpp"

#include <algorithm>
#include <array>

namespace dpadapt::schema {
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

bool Spellings::take_booleans() const { return find(Cell::of(0.0)) || find(Cell::of(1.0)); }

}  // namespace dpadapt::schema
