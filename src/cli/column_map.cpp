#include "cli/column_map.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/csv_header.hpp"
#include "cli/csv_reader.hpp"
#include "cli/failure.hpp"
#include "cli/number.hpp"

namespace dpadapt::cli {
namespace {

constexpr const char *kConstant = "(constant)";

class MapSink : public CsvSink {
  public:
    explicit MapSink(ColumnMap &map) : map_(map) {}

    void header(const std::vector<std::string> &names, char separator) override {
        format_.decimal_comma = separator != ',';
        for (std::size_t k = 1; k < names.size(); ++k) {
            is_constant_.push_back(names[k] == kConstant);
            places_.push_back(map_.inputs.size());
            if (!is_constant_.back()) map_.inputs.push_back(names[k]);
        }
    }

    void cell(std::size_t column, std::string_view text) override {
        const schema::Cell value = schema::read_cell(text, format_);
        if (column == 0) {
            if (value.kind == schema::Cell::Kind::missing)
                throw CellError("the column of the target has no name");
            row_.name = text;
            return;
        }
        if (value.kind == schema::Cell::Kind::missing) return;
        if (value.kind == schema::Cell::Kind::text) throw CellError(why_no_number(value.text));
        if (is_constant_[column - 1])
            row_.constant = value.number;
        else if (value.number != 0.0)
            row_.terms.push_back({places_[column - 1], value.number});
    }

    void end_row(std::size_t /*line*/) override { map_.columns.push_back(std::exchange(row_, {})); }

  private:
    ColumnMap &map_;
    schema::Format format_;
    std::vector<bool> is_constant_;
    std::vector<std::size_t> places_;  // of a column of the file among the inputs
    ColumnMap::Column row_;
};

}  // namespace

bool ColumnMap::reads(const std::string &name) const {
    return std::find(inputs.begin(), inputs.end(), name) != inputs.end();
}

const ColumnMap::Column *ColumnMap::find(const std::string &name) const {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const Column &column) { return column.name == name; });
    return found == columns.end() ? nullptr : &*found;
}

schema::Cell value_of(const ColumnMap::Column &column, std::span<const schema::Cell> inputs) {
    double value = column.constant;
    for (const auto &[input, factor] : column.terms) {
        const schema::Cell &cell = inputs[input];
        if (cell.kind != schema::Cell::Kind::number) return cell;
        value += factor * cell.number;
    }
    if (!std::isfinite(value)) return schema::Cell::of("a sum beyond double precision");
    return schema::Cell::of(value);
}

ColumnMap read_column_map(const std::string &path) {
    ColumnMap map;
    if (path.empty()) return map;
    MapSink sink(map);
    read_csv(path, sink);
    std::vector<std::string> names;
    for (const ColumnMap::Column &column : map.columns) names.push_back(column.name);
    if (const std::string twice = repeated_name(names); !twice.empty())
        throw Failure(kBadData, path + ": two rows are for the column \"" + twice + '"');
    return map;
}

}  // namespace dpadapt::cli
