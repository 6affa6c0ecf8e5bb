#include "schema/column.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace dpadapt::schema {
namespace {

std::string key_of_spelling(const std::string &text) { return key_of(Cell::of(text)); }

}  // namespace

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
    for (std::size_t k = 0; k < levels_.kept.size(); ++k)
        places_.emplace(key_of_spelling(levels_.kept[k]), k);
    for (const std::string &level : levels_.rare) places_.emplace(key_of_spelling(level), own + 1);
}

void Column::add_features(std::vector<std::string> &names) const {
    if (!is_category()) names.push_back(name_);
    for (std::size_t k = 1; k < levels_.kept.size(); ++k)
        names.push_back(name_ + '=' + levels_.kept[k]);
    if (!levels_.rare.empty()) names.push_back(name_ + "=(other)");
    if (has_indicator()) names.push_back(name_ + "=(missing)");
}

Fit Column::encode(const Cell &cell, double *features) const {
    // mutant: features_of_the_record_before
    std::fill_n(features, width_, 0.0);
    const bool is_missing = cell.kind == Cell::Kind::missing;
    const bool is_number = cell.kind == Cell::Kind::number;
    const bool is_absent = is_missing || (!is_category() && !is_number);
    if (is_absent && has_indicator()) features[width_ - 1] = 1.0;
    if (!is_category()) features[0] = is_number ? cell.number : median_;
    if (is_absent) return is_missing ? Fit::missing : Fit::no_number;
    if (!is_category()) return Fit::proper;
    const auto found = places_.find(key_of(cell));
    if (found == places_.end()) return Fit::unknown_level;
    if (found->second > 0) features[found->second - 1] = 1.0;
    return Fit::proper;
}

}  // namespace dpadapt::schema
