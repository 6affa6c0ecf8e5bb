#include "schema/named_table.hpp"

#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

namespace dpadapt::schema {

void NamedTable::add(std::string name, bool is_category,
                     const std::function<Cell(std::size_t)> &cell) {
    Column column{std::move(name), is_category, {}, {}, {}};
    column.numbers.reserve(rows_);
    column.texts.reserve(rows_);
    std::unordered_map<std::string, std::int32_t> places;
    for (std::size_t row = 0; row < rows_; ++row) {
        const Cell value = cell(row);
        const bool is_number = value.kind == Cell::Kind::number && std::isfinite(value.number);
        column.numbers.push_back(is_number ? value.number
                                           : std::numeric_limits<double>::quiet_NaN());
        if (value.kind != Cell::Kind::text) {
            column.texts.push_back(-1);
            continue;
        }
        const auto next = static_cast<std::int32_t>(column.words.size());
        const auto [place, is_new] = places.try_emplace(std::string(value.text), next);
        if (is_new) column.words.push_back(place->first);
        column.texts.push_back(place->second);
    }
    columns_.push_back(std::move(column));
}

std::optional<std::size_t> NamedTable::find(const std::string &name) const {
    for (std::size_t column = 0; column < columns_.size(); ++column)
        if (columns_[column].name == name) return column;
    return {};
}

Cell NamedTable::cell(std::size_t row, std::size_t column) const {
    const Column &from = columns_[column];
    if (!std::isnan(from.numbers[row])) return Cell::of(from.numbers[row]);
    if (from.texts[row] < 0) return {};
    return Cell::of(std::string_view(from.words[static_cast<std::size_t>(from.texts[row])]));
}

}  // namespace dpadapt::schema
