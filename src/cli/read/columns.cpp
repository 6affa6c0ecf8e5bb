#include "cli/read/columns.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "cli/read/arguments.hpp"
#include "cli/read/csv.hpp"
#include "cli/read/failure.hpp"
#include "schema/cell.hpp"

namespace dpadapt::cli {

namespace {

/** Finds columns of a file by name. */
class Header {
  public:
    Header(const std::string &path, const std::vector<std::string> &names)
        : path_(path), names_(names) {}

    [[nodiscard]] bool has(const std::string &name) const { return contains(names_, name); }

    /** @param otherwise  A remedy where the file has several columns. */
    [[nodiscard]] std::size_t find(const std::string &name,
                                   const std::string &otherwise = {}) const {
        const auto found = std::find(names_.begin(), names_.end(), name);
        if (found == names_.end()) {
            const std::string remedy =
                names_.size() == 1
                    ? " (the header is one column; separators are comma, semicolon and tab)"
                    : otherwise;
            throw Failure(kBadData, path_ + ": there is no column \"" + name + '"' + remedy);
        }
        return static_cast<std::size_t>(found - names_.begin());
    }

    [[nodiscard]] std::vector<std::string> features(const ColumnChoice &choice) const {
        std::vector<std::string> features;
        for (const std::string &name : names_) {
            const bool used = name == choice.label || name == choice.domain ||
                              (!choice.scores.empty() && name == choice.scores) ||
                              (!choice.weights.empty() && name == choice.weights) ||
                              (!choice.group.empty() && name == choice.group);
            if (!used && !contains(choice.ignored, name) && !is_mapped(choice, name))
                features.push_back(name);
        }
        if (choice.map != nullptr)
            for (const ColumnMap::Column &column : choice.map->columns)
                features.push_back(column.name);
        if (features.empty()) throw Failure(kBadData, path_ + ": no column is left as a feature");
        return features;
    }

    /** How to go on without the features that are not there. */
    [[nodiscard]] std::string without(const ColumnChoice &choice) const {
        std::string absent;
        for (const std::string &name : choice.features)
            if (!has(name)) absent += (absent.empty() ? "" : ",") + name;
        return " (the other sample has it; --ignore " + absent + " leaves out what it alone has)";
    }

  private:
    /** Read by the map and made by it are no features as they are. */
    [[nodiscard]] bool is_mapped(const ColumnChoice &choice, const std::string &name) const {
        if (choice.map == nullptr) return false;
        if (choice.map->reads(name)) return true;
        if (choice.map->find(name) == nullptr) return false;
        throw Failure(kBadData, path_ + ": the column \"" + name +
                                    "\" is there, and --source-map makes it of others");
    }

    const std::string &path_;
    const std::vector<std::string> &names_;
};

}  // namespace

std::vector<Place> place_columns(const std::string &path, const std::vector<std::string> &names,
                                 ColumnChoice &choice) {
    const Header header(path, names);
    for (const std::string &name : choice.ignored) (void)header.find(name);
    std::vector<Place> places(names.size());
    if (choice.may_lack_label && !header.has(choice.label)) choice.label.clear();
    if (!choice.scores.empty()) places[header.find(choice.scores)].role = Role::kScores;
    if (!choice.weights.empty() && !header.has(choice.weights)) choice.weights.clear();
    if (!choice.weights.empty()) places[header.find(choice.weights)].role = Role::kWeight;
    if (!choice.label.empty()) places[header.find(choice.label)].role = Role::kLabel;
    if (choice.by_group) places[header.find(choice.group)].role = Role::kGroup;
    if (choice.by_domain) places[header.find(choice.domain)].role = Role::kDomain;
    if (choice.features.empty()) choice.features = header.features(choice);
    for (std::size_t k = 0; choice.map != nullptr && k < choice.map->inputs.size(); ++k) {
        Place &place = places[header.find(choice.map->inputs[k])];
        place.is_input = true;
        place.input = k;
    }
    const std::string remedy = choice.of_other_file ? header.without(choice) : "";
    for (std::size_t feature = 0; feature < choice.features.size(); ++feature) {
        if (choice.map != nullptr && choice.map->find(choice.features[feature]) != nullptr)
            continue;
        Place &place = places[header.find(choice.features[feature], remedy)];
        place.role = Role::kFeature;
        place.feature = feature;
    }
    for (std::size_t kept = 0; kept < choice.kept.size(); ++kept) {
        Place &place = places[header.find(choice.kept[kept])];
        place.is_kept = true;
        place.kept = kept;
    }
    return places;
}

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

namespace {

constexpr const char *kIndex =
    "; if it counts the rows, write the file without it (in R write.csv(..., row.names = FALSE), "
    "in pandas to_csv(..., index=False)), or name it and leave it out by --ignore NAME";
constexpr const char *kNameless = "; is there a separator too many?";

}  // namespace

std::string place_in_file(const std::string &path, std::size_t line, std::size_t column,
                          const std::string &name) {
    const std::string text =
        path + ": line " + std::to_string(line) + ", column " + std::to_string(column + 1);
    return name.empty() ? text : text + " (" + name + ')';
}

void check_names(const std::string &path, std::size_t line, const std::vector<std::string> &names,
                 bool is_private) {
    for (std::size_t column = 0; column < names.size(); ++column) {
        const std::string place = place_in_file(path, line, column);
        if (names[column].empty())
            throw Failure(kBadData,
                          place + ": the column has no name" + (column == 0 ? kIndex : kNameless));
        if (!is_utf8(names[column]))
            throw Failure(kBadData,
                          place +
                              ": the name is not UTF-8 text (iconv -f LATIN1 -t UTF-8, or -f "
                              "UTF-16, makes such files)");
    }
    const std::string twice = repeated_name(names);
    if (twice.empty()) return;
    throw Failure(kBadData, path + ": line " + std::to_string(line) +
                                (is_private ? " names two columns alike; is it a header?"
                                            : " names two columns \"" + twice + '"'));
}

}  // namespace dpadapt::cli
