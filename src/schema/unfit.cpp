#include "schema/unfit.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "schema/cell.hpp"

namespace dpadapt::schema {
namespace {

constexpr std::size_t kMostNamed = 5;

/** A line for people; a terminal would obey control characters. */
std::string told(const std::string &column, const UnfitCells &cells, std::size_t rows,
                 const std::string &what) {
    std::string line = column + ": " + std::to_string(cells.count) + " of " + std::to_string(rows) +
                       (rows == 1 ? " row " : " rows ") + (cells.count == 1 ? "has " : "have ") +
                       what;
    const char *before = ": ";
    for (const std::string &text : cells.first) {
        line += before + (is_plain(text) && is_utf8(text) ? in_quotes(text) : "other bytes");
        before = ", ";
    }
    return line;
}

/** Of computed features that have no finite value. */
void tell_computed(const LabelledSchema &own, const NamedTable &table, const auto &cell_at,
                   std::vector<std::string> &lines) {
    std::vector<std::size_t> places;
    for (const Column &column : own.schema.columns)
        places.push_back(place_of(table, column.name()));
    std::vector<CellValue> cells(places.size());
    for (const Computed &feature : own.schema.computed) {
        UnfitCells none;
        for (std::size_t row = 0; row < table.rows(); ++row) {
            for (std::size_t k = 0; k < places.size(); ++k)
                cells[k] = own.schema.columns[k].read(cell_at(row, places[k]));
            double value = 0.0;
            if (feature.encode(cells, &value) == Fit::no_number) ++none.count;
        }
        if (none.count > 0)
            lines.push_back(told(feature.name, none, table.rows(), "no finite value"));
    }
}

}  // namespace

void UnfitCells::add(const Cell &cell) {
    ++count;
    if (first.size() == kMostNamed) return;
    const std::string text = spelling(cell);
    if (std::find(first.begin(), first.end(), text) == first.end()) first.push_back(text);
}

std::string unfit_cells(const Column &column, Fit fit, const UnfitCells &cells, std::size_t rows) {
    return told(column.name(), cells, rows,
                fit == Fit::no_number ? "a value that is no number"
                                      : "a level that the schema does not know");
}

std::vector<std::string> unfit(const LabelledSchema &own, const NamedTable &table) {
    const auto label_place = table.find(own.label);
    own.check_booleans(table, label_place.has_value());
    std::vector<std::string> lines;
    const auto cell_at = [&](std::size_t row, std::size_t place) {
        const Cell cell = table.cell(row, place);
        return is_missing_word(cell, own.schema.missing) ? Cell() : cell;
    };
    for (const Column &column : own.schema.columns) {
        const std::size_t place = place_of(table, column.name());
        UnfitCells cells;
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const Cell cell = cell_at(row, place);
            const Fit fit = column.read(cell).fit;
            if (fit == Fit::no_number || fit == Fit::unknown_level) cells.add(cell);
        }
        const Fit fit = column.is_category() ? Fit::unknown_level : Fit::no_number;
        if (cells.count > 0) lines.push_back(unfit_cells(column, fit, cells, table.rows()));
    }
    tell_computed(own, table, cell_at, lines);
    if (!label_place) return lines;
    UnfitCells none;
    UnfitCells unknown;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const Cell cell = cell_at(row, *label_place);
        if (!std::isnan(own.schema.labels.encode(cell))) continue;
        cell.kind == Cell::Kind::missing ? void(++none.count) : unknown.add(cell);
    }
    const std::string name = "(label) " + own.label;
    if (none.count > 0) lines.push_back(told(name, none, table.rows(), "no label"));
    if (unknown.count > 0)
        lines.push_back(
            told(name, unknown, table.rows(), "a label that is not " + own.schema.labels.known()));
    return lines;
}

}  // namespace dpadapt::schema
