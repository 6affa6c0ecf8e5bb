#include "schema/schema.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace dpadapt::schema {

Schema Schema::plain(const std::vector<std::string> &names) {
    Schema schema;
    for (const std::string &name : names) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        schema.columns.push_back(Column::of_numbers(name, none, false));
    }
    return schema;
}

std::vector<std::string> Schema::names() const {
    std::vector<std::string> names;
    for (const Column &column : columns) names.push_back(column.name());
    return names;
}

std::vector<std::string> Schema::features() const {
    std::vector<std::string> features;
    for (const Column &column : columns) column.add_features(features);
    for (const Computed &feature : computed) features.push_back(feature.name);
    return features;
}

const std::string &Schema::use(std::size_t place) const {
    return place < columns.size() ? columns[place].name() : computed[place - columns.size()].name;
}

bool Schema::is_plain() const {
    return computed.empty() &&
           std::none_of(columns.begin(), columns.end(), [](const Column &column) {
               return column.is_category() || column.has_indicator();
           });
}

void Schema::encode(std::span<const Cell> cells, std::span<double> features,
                    std::span<Fit> fits) const {
    double *to = features.data();
    std::vector<CellValue> values(computed.empty() ? 0 : columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const CellValue value = columns[k].read(cells[k]);
        columns[k].encode(value, to);
        to += columns[k].width();
        fits[k] = value.fit;
        if (!values.empty()) values[k] = value;
    }
    for (std::size_t k = 0; k < computed.size(); ++k)
        fits[columns.size() + k] = computed[k].encode(values, to++);
}

std::int64_t person_of(std::string_view id) {
    const Cell cell = read_cell(id, {{}, true});
    // A double that large stands for several numbers.
    const bool is_rounded = cell.kind == Cell::Kind::number && !(std::abs(cell.number) < 0x1p53);
    const std::string key =
        without_capitals(is_rounded ? std::string(without_blanks_around(id)) : spelling(cell));
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return static_cast<std::int64_t>(hash);
}

namespace {

std::string column_text(const Column &column) {
    const std::string missing = column.has_indicator() ? "; (missing) has a coefficient" : "";
    if (!column.is_category()) {
        if (!std::isfinite(column.median())) return "number; a record without one counts as zeros";
        return "number, " + to_text(column.median()) + " where it is missing" + missing;
    }
    constexpr std::size_t kLongest = 300;
    std::string text = "category";
    const char *before = " ";
    for (const std::string &level : column.levels().kept) {
        if (text.size() > kLongest) return text + ", ..." + missing;
        text += before + level + (*before == ' ' ? " (reference)" : "");
        before = ", ";
    }
    const std::size_t rare = column.levels().rare.size();
    if (rare > 0) text += ", (other): " + std::to_string(rare) + " rare ones";
    return text + missing;
}

std::string labels_text(const Labels &labels) {
    const std::vector<std::string> &names = labels.names();
    if (names.empty()) return "";
    if (labels.kind() == LabelKind::signs) {
        if (names == std::vector<std::string>{"-1", "1"}) return "";
        return names[0] + " is -1, " + names[1] + " is +1; coefficients and probabilities are of " +
               names[1];
    }
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k)
        text += (k == 0 ? "" : ", ") + names[k] + " is class " + std::to_string(k);
    return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> describe(const Schema &schema) {
    std::vector<std::pair<std::string, std::string>> lines;
    const auto add = [&](const std::string &name, const std::string &text) {
        if (!text.empty()) lines.emplace_back(name, text);
    };
    for (const Column &column : schema.columns)
        add(column.name(),
            (column.is_hidden() ? "for computed features alone: " : "") + column_text(column));
    for (const Computed &feature : schema.computed)
        add(feature.name, "computed, " + feature.expression.text());
    add("(label)", labels_text(schema.labels));
    const bool has_texts = !schema.labels.names().empty() ||
                           std::any_of(schema.columns.begin(), schema.columns.end(),
                                       [](const Column &column) { return column.is_category(); });
    if (has_texts) add("(texts)", std::string(kHowTextsMatch));
    for (const Dropped &column : schema.dropped) add(column.name, "not used: " + column.reason);
    return lines;
}

}  // namespace dpadapt::schema
