#include "schema/table.hpp"

#include <cmath>
#include <limits>

namespace dpadapt::schema {

void Table::add(std::span<const Cell> cells) {
    for (std::size_t k = 0; k < columns_.size(); ++k) add(columns_[k], cells[k]);
    is_null_.push_back(false);
}

void Table::add_null() {
    for (Column &column : columns_) add(column, Cell());
    is_null_.push_back(true);
}

void Table::add(Column &column, const Cell &cell) const {
    const bool is_number = cell.kind == Cell::Kind::number;
    column.numbers.push_back(is_number ? cell.number : std::numeric_limits<double>::quiet_NaN());
    if (cell.kind != Cell::Kind::text) {
        if (!column.texts.empty()) column.texts.push_back(-1);
        return;
    }
    const auto next = static_cast<std::int32_t>(column.words.size());
    const auto [place, is_new] = column.places.try_emplace(std::string(cell.text), next);
    if (is_new) column.words.push_back(&place->first);
    column.texts.resize(rows(), -1);
    column.texts.push_back(place->second);
}

Cell Table::cell(std::size_t row, std::size_t column) const {
    const Column &from = columns_[column];
    if (!std::isnan(from.numbers[row])) return Cell::of(from.numbers[row]);
    if (from.texts.empty() || from.texts[row] < 0) return {};
    return Cell::of(std::string_view(*from.words[static_cast<std::size_t>(from.texts[row])]));
}

}  // namespace dpadapt::schema
