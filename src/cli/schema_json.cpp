#include "cli/schema_json.hpp"

#include <cmath>
#include <limits>

#include "cli/failure.hpp"
#include "cli/number.hpp"

namespace dpadapt::cli {
namespace {

constexpr const char *kKinds[] = {"numbers", "signs", "classes"};

using schema::Column;
using schema::LabelKind;

Json column_json(const Column &column) {
    Json json{{"name", column.name()}};
    if (column.is_category()) {
        json["levels"] = column.levels().kept;
        json["rare"] = column.levels().rare;
    } else {
        json["median"] = std::isfinite(column.median()) ? Json(column.median()) : Json(nullptr);
    }
    json["missing_indicator"] = column.has_indicator();
    return json;
}

Column parse_column(const Json &json) {
    if (json.contains("levels")) {
        Column::Levels levels{json["levels"], json.at("rare"), json.at("missing_indicator")};
        if (levels.kept.empty()) throw Failure(kBadData, "a category has no level");
        return Column::of_category(json.at("name"), std::move(levels));
    }
    const Json &median = json.at("median");
    return Column::of_numbers(
        json.at("name"),
        median.is_null() ? std::numeric_limits<double>::quiet_NaN() : median.get<double>(),
        json.at("missing_indicator"));
}

schema::Labels parse_labels(const Json &json) {
    const std::string kind = json.at("kind");
    const std::vector<std::string> names = json.at("names");
    if (kind == kKinds[0]) return schema::Labels::numbers();
    if (kind == kKinds[2] && names.empty()) return schema::Labels::numbered_classes();
    if (kind == kKinds[2]) return schema::Labels::named(LabelKind::classes, names);
    if (kind != kKinds[1] || names.size() != 2) throw Failure(kBadData, "the labels are damaged");
    return schema::Labels::named(LabelKind::signs, names);
}

}  // namespace

Json schema_json(const schema::Schema &schema) {
    Json columns = Json::array();
    for (const Column &column : schema.columns) columns.push_back(column_json(column));
    Json dropped = Json::array();
    for (const auto &[name, reason] : schema.dropped)
        dropped.push_back({{"name", name}, {"reason", reason}});
    return {{"columns", columns},
            {"labels",
             {{"kind", kKinds[static_cast<int>(schema.labels.kind())]},
              {"names", schema.labels.names()}}},
            {"dropped", dropped},
            {"missing", schema.missing},
            {"notes", schema.notes}};
}

schema::Schema parse_schema(const Json &json) {
    schema::Schema schema;
    for (const Json &column : json.at("columns")) schema.columns.push_back(parse_column(column));
    schema.labels = parse_labels(json.at("labels"));
    for (const Json &column : json.at("dropped"))
        schema.dropped.push_back({column.at("name"), column.at("reason")});
    schema.missing = json.at("missing");
    schema.notes = json.at("notes");
    return schema;
}

namespace {

std::string column_text(const Json &column) {
    const bool has_indicator = column["missing_indicator"];
    const std::string missing = has_indicator ? "; (missing) has a coefficient" : "";
    if (!column.contains("levels")) {
        const Json &median = column["median"];
        if (!has_indicator || median.is_null()) return "";
        return "number, " + to_text(median.get<double>()) + " where it is missing" + missing;
    }
    constexpr std::size_t kLongest = 300;
    std::string text = "category";
    const char *before = " ";
    for (const Json &level : column["levels"]) {
        if (text.size() > kLongest) return text + ", ..." + missing;
        text += before + level.get<std::string>() + (*before == ' ' ? " (reference)" : "");
        before = ", ";
    }
    const std::size_t rare = column["rare"].size();
    if (rare > 0) text += ", (other): " + std::to_string(rare) + " rare ones";
    return text + missing;
}

std::string labels_text(const Json &labels) {
    const std::vector<std::string> names = labels["names"];
    if (names.empty()) return "";
    if (labels["kind"] == kKinds[1]) {
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

std::vector<std::pair<std::string, std::string>> schema_lines(const Json &json) {
    std::vector<std::pair<std::string, std::string>> lines;
    const auto add = [&](const std::string &name, const std::string &text) {
        if (!text.empty()) lines.emplace_back(name, text);
    };
    for (const Json &column : json["columns"]) add(column["name"], column_text(column));
    add("(label)", labels_text(json["labels"]));
    for (const Json &column : json["dropped"])
        add(column["name"], "not used: " + column["reason"].get<std::string>());
    return lines;
}

}  // namespace dpadapt::cli
