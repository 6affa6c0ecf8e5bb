#include "schema/labels.hpp"

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

}  // namespace dpadapt::schema
