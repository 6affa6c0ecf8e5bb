#include "cli/read/columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "cli/read/csv.hpp"
#include "cli/read/failure.hpp"
#include "schema/labels.hpp"

namespace dpadapt::cli {

namespace {

/** Finds columns of a file by name. */
struct Header {
    const std::string &path;
    const std::vector<std::string> &names;

    /** @param otherwise  A remedy where the file has several columns. */
    [[nodiscard]] std::size_t find(const std::string &name,
                                   const std::string &otherwise = {}) const {
        const std::size_t place = place_among(names, name);
        if (place < names.size()) return place;
        const std::vector<std::string_view> known(names.begin(), names.end());
        const auto twin = std::ranges::find_if(names, [&](const std::string &other) {
            return schema::without_capitals(other) == schema::without_capitals(name);
        });
        const std::string remedy =
            names.size() == 1
                ? " (the header is one column; separators are comma, semicolon and tab)"
            : twin != names.end() ? ", but \"" + *twin + "\": capitals count, so rename one"
            : otherwise.empty()   ? did_you_mean(name, known)
                                  : otherwise;
        throw Failure(kBadData, path + ": there is no column \"" + name + '"' + remedy);
    }

    [[nodiscard]] std::vector<std::string> features(const ColumnChoice &choice) const {
        std::vector<std::string> others = choice.ignored;
        others.push_back(choice.domain.column);
        for (const std::string &use : choice.names()) others.push_back(use);
        for (const std::string &input : choice.map->inputs) others.push_back(input);
        std::vector<std::string> features;
        for (const std::string &name : names) {
            if (contains(others, name)) continue;
            if (choice.map->find(name) != nullptr)
                throw Failure(kBadData, path + ": the column \"" + name +
                                            "\" is there, and --source-map makes it of others");
            features.push_back(name);
        }
        for (const std::string &name : choice.map->names()) features.push_back(name);
        if (features.empty()) throw Failure(kBadData, path + ": no column is left as a feature");
        return features;
    }

    /** How to go on without the features that are not there. */
    [[nodiscard]] std::string without(const ColumnChoice &choice) const {
        std::vector<std::string> absent;
        for (const std::string &name : choice.features)
            if (!contains(names, name)) absent.push_back(name);
        if (!absent.empty() && contains(choice.hidden, absent.front()))
            return " (--compute reads it)";
        return " (the other sample has it; --ignore " + joined(absent, ",") +
               " leaves out what it alone has)";
    }
};

}  // namespace

Places place_columns(const std::string &path, const std::vector<std::string> &names,
                     ColumnChoice &choice) {
    const Header header{path, names};
    const std::string needless = " (what the other sample alone has needs no --ignore)";
    for (const std::string &name : choice.ignored) (void)header.find(name, needless);
    if (choice.may_lack_label && !contains(names, choice.label)) choice.label.clear();
    if (!contains(names, choice.weights)) choice.weights.clear();
    Places places;
    if (!choice.event.empty()) places.event = header.find(choice.event);
    if (!choice.scores.empty()) places.scores = header.find(choice.scores);
    if (!choice.weights.empty()) places.weight = header.find(choice.weights);
    if (!choice.label.empty()) places.label = header.find(choice.label);
    if (choice.by_group) places.group = header.find(choice.group);
    if (choice.by_domain) places.domain = header.find(choice.domain.column);
    if (choice.features.empty()) choice.features = header.features(choice);
    for (const std::string &input : choice.map->inputs) places.inputs.push_back(header.find(input));
    const std::string remedy = choice.of_other_file ? header.without(choice) : "";
    for (const std::string &feature : choice.features) {
        std::optional<std::size_t> &place = places.features.emplace_back();
        if (choice.map->find(feature) == nullptr) place = header.find(feature, remedy);
    }
    for (const std::string &kept : choice.kept) places.kept.push_back(header.find(kept));
    return places;
}

namespace {

class MapSink : public CsvSink {
  public:
    explicit MapSink(ColumnMap &map) : map_(map) {}

    void header(const std::vector<std::string> &names, char separator) override {
        format_.decimal_comma = separator != ',';
        for (std::size_t k = 1; k < names.size(); ++k) {
            const bool is_constant = names[k] == "(constant)";
            inputs_.push_back(is_constant ? std::optional<std::size_t>() : map_.inputs.size());
            if (!is_constant) map_.inputs.push_back(names[k]);
        }
    }

    void cell(std::size_t column, std::string_view text) override {
        const schema::Cell value = schema::read_cell(text, format_);
        const bool is_missing = value.kind == schema::Cell::Kind::missing;
        if (column == 0 && is_missing) throw CellError("the column of the target has no name");
        if (column == 0) row_.name = text;
        if (column == 0 || is_missing) return;
        if (value.kind == schema::Cell::Kind::text) throw CellError(why_no_number(value.text));
        const std::optional<std::size_t> input = inputs_[column - 1];
        if (!input)
            row_.constant = value.number;
        else if (value.number != 0.0)
            row_.terms.push_back({*input, value.number});
    }

    void end_row(std::size_t /*line*/) override { map_.columns.push_back(std::exchange(row_, {})); }

  private:
    ColumnMap &map_;
    schema::Format format_;
    std::vector<std::optional<std::size_t>> inputs_;  // of the columns; none: the constant
    ColumnMap::Column row_;
};

}  // namespace

std::vector<std::string> ColumnUses::names() const {
    std::vector<std::string> names{label, event, scores, weights, group};
    std::erase(names, "");
    return names;
}

std::vector<std::string> ColumnMap::names() const {
    std::vector<std::string> list;
    for (const Column &column : columns) list.push_back(column.name);
    return list;
}

const ColumnMap::Column *ColumnMap::find(const std::string &name) const {
    const auto found = std::ranges::find(columns, name, &Column::name);
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
    if (const std::string twice = repeated_name(map.names()); !twice.empty())
        throw Failure(kBadData, path + ": two rows are for the column \"" + twice + '"');
    return map;
}

std::string place_in_file(const std::string &path, std::size_t line, std::size_t column,
                          const std::string &name) {
    const std::string text =
        path + ": line " + std::to_string(line) + ", column " + std::to_string(column + 1);
    return name.empty() ? text : text + " (" + name + ')';
}

}  // namespace dpadapt::cli
