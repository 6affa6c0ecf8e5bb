#include "schema/column.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace dpadapt::schema {
Column Column::of_numbers(std::string name, double median, bool indicator) {
    return {std::move(name), median, {.kept = {}, .rare = {}, .indicator = indicator}};
}

Column Column::of_category(std::string name, Levels levels) {
    return {std::move(name), std::numeric_limits<double>::quiet_NaN(), std::move(levels)};
}

Column::Column(std::string name, double median, Levels levels)
    : name_(std::move(name)), median_(median), levels_(std::move(levels)) {
    const std::size_t own = is_category() ? levels_.kept.size() - 1 : 1;
    width_ = own + (levels_.rare.empty() ? 0 : 1) + (has_indicator() ? 1 : 0);
    std::vector<std::string> all = levels_.kept;
    all.insert(all.end(), levels_.rare.begin(), levels_.rare.end());
    spellings_ = Spellings(all, levels_.kept.size());
}

void Column::add_features(std::vector<std::string> &names) const {
    if (is_hidden()) return;
    if (!is_category()) names.push_back(name_);
    for (std::size_t k = 1; k < levels_.kept.size(); ++k)
        names.push_back(name_ + '=' + levels_.kept[k]);
    if (!levels_.rare.empty()) names.push_back(name_ + "=(other)");
    if (has_indicator()) names.push_back(name_ + "=(missing)");
}

CellValue Column::read(const Cell &cell) const {
    if (cell.kind == Cell::Kind::missing) return {Fit::missing, median_, kNoLevel};
    if (!is_category()) {
        const bool is_number = cell.kind == Cell::Kind::number;
        return is_number ? CellValue{Fit::proper, cell.number, kNoLevel}
                         : CellValue{Fit::no_number, median_, kNoLevel};
    }
    const std::optional<std::size_t> found = spellings_.find(cell);
    return {found ? Fit::proper : Fit::unknown_level, median_, found.value_or(kNoLevel)};
}

void Column::encode(const CellValue &cell, double *features) const {
    if (is_hidden()) return;
    // mutant: features_of_the_record_before
    std::fill_n(features, width_, 0.0);
    const bool is_absent = cell.fit == Fit::missing || cell.fit == Fit::no_number;
    if (is_absent && has_indicator()) features[width_ - 1] = 1.0;
    if (!is_category()) features[0] = cell.number;
    if (cell.level == kNoLevel) return;
    const std::size_t place = std::min(cell.level, levels_.kept.size());  // rare ones share one
    if (place > 0) features[place - 1] = 1.0;
}

}  // namespace dpadapt::schema
