#include "cli/schema_json.hpp"

#include <cmath>
#include <limits>

#include "cli/failure.hpp"
#include "schema/schema.hpp"

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

std::vector<std::pair<std::string, std::string>> schema_lines(const Json &json) {
    const schema::Schema schema = parse_schema(json);
    const bool is_simple =
        schema.is_plain() && schema.dropped.empty() && schema.labels.names().empty();
    if (is_simple) return {};
    return describe(schema);
}

}  // namespace dpadapt::cli
