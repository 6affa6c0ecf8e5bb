#include "schema/unfit.hpp"

#include <array>
#include <cmath>

namespace dpadapt::schema {
namespace {

std::string counted(const std::string &column, std::size_t count, const std::string &one,
                    const std::string &several, const std::string &what) {
    return column + ": " + std::to_string(count) + ' ' + (count == 1 ? one : several) + ' ' + what;
}

}  // namespace

std::string unfit_cells(const Column &column, Fit fit, std::size_t count) {
    if (fit == Fit::no_number) return counted(column.name(), count, "is", "are", "no number");
    return counted(column.name(), count, "has", "have", "a level that the schema does not know");
}

std::vector<std::string> unfit(const LabelledSchema &own, const NamedTable &table) {
    std::vector<std::string> lines;
    const auto cell_at = [&](std::size_t row, std::size_t place) {
        const Cell cell = table.cell(row, place);
        return is_missing_word(cell, own.schema.missing) ? Cell() : cell;
    };
    for (const Column &column : own.schema.columns) {
        const std::size_t place = place_of(table, column.name());
        std::vector<double> features(column.width());
        std::array<std::size_t, 4> counts{};
        for (std::size_t row = 0; row < table.rows(); ++row)
            ++counts[static_cast<std::size_t>(column.encode(cell_at(row, place), features.data()))];
        for (const Fit fit : {Fit::no_number, Fit::unknown_level})
            if (const std::size_t count = counts[static_cast<std::size_t>(fit)])
                lines.push_back(unfit_cells(column, fit, count));
    }
    const auto place = table.find(own.label);
    if (!place) return lines;
    std::size_t none = 0;
    std::size_t unknown = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const Cell cell = cell_at(row, *place);
        if (!std::isnan(own.schema.labels.encode(cell))) continue;
        ++(cell.kind == Cell::Kind::missing ? none : unknown);
    }
    const std::string name = "(label) " + own.label;
    if (none > 0) lines.push_back(counted(name, none, "is", "are", "missing"));
    if (unknown > 0)
        lines.push_back(counted(name, unknown, "is", "are", "not " + own.schema.labels.known()));
    return lines;
}

}  // namespace dpadapt::schema
