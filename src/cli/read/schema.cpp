#include "cli/read/schema.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "cli/read/arguments.hpp"
#include "cli/read/failure.hpp"
#include "cli/read/files.hpp"
#include "schema/labelled_schema.hpp"
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
    if (column.is_hidden()) json["feature"] = false;
    return json;
}

}  // namespace

Json schema_json(const schema::Schema &schema) {
    Json columns = Json::array();
    for (const Column &column : schema.columns) columns.push_back(column_json(column));
    Json computed = Json::array();
    for (const schema::Computed &feature : schema.computed)
        computed.push_back({{"name", feature.name}, {"expression", feature.expression.text()}});
    Json dropped = Json::array();
    for (const auto &[name, reason] : schema.dropped)
        dropped.push_back({{"name", name}, {"reason", reason}});
    return {{"columns", columns},
            {"computed", computed},
            {"labels",
             {{"kind", kKinds[static_cast<int>(schema.labels.kind())]},
              {"names", schema.labels.names()}}},
            {"dropped", dropped},
            {"missing", schema.missing},
            {"notes", schema.notes}};
}

namespace {

schema::LabelKind label_kind(const Settings &settings, const std::string &baseline) {
    if (baseline == "gapboost" || baseline == "tradaboost") return schema::LabelKind::signs;
    std::string loss = settings.get("loss");
    if (loss == "perceptron") loss = settings.get("perceptron_output");
    if (loss == "logistic") return schema::LabelKind::signs;
    return loss == "softmax" ? schema::LabelKind::classes : schema::LabelKind::numbers;
}

InvalidCells invalid_cells(const std::vector<std::string> &names, const TableSink &rows,
                           std::vector<schema::InvalidCell> invalid) {
    std::stable_sort(invalid.begin(), invalid.end(),
                     [](const auto &a, const auto &b) { return a.row < b.row; });
    InvalidCells invalid_cells;
    for (const auto &[row, column, reason, is_computed] : invalid) {
        const std::string text =
            reason.empty() ? why_no_number(rows.table().cell(row, column).text) : reason;
        invalid_cells.add(rows.line(row), column < names.size() ? names[column] : "", text);
    }
    return invalid_cells;
}

bool are_labels(const InvalidCells &invalid_cells) {
    return std::any_of(invalid_cells.first.begin(), invalid_cells.first.end(),
                       [](const auto &cell) { return cell.column.empty(); });
}

/** What the user can do about it. */
std::string help(const InvalidCells &invalid_cells, schema::LabelKind labels) {
    if (!are_labels(invalid_cells))
        return "most cells of the column are numbers: --missing WORD names a word for a missing "
               "value, --categories COLUMN makes the column a category";
    if (labels == schema::LabelKind::numbers)
        return "this loss needs labels that are numbers: --loss logistic is for two classes, "
               "--loss softmax for several";
    return "--loss logistic is for two classes, whose names are free, --loss softmax for several; "
           "rows without a label are left out";
}

void check_features(const schema::Schema &learnt, const SampleSink &file, bool are_named) {
    std::string reasons;
    for (const auto &[name, reason] : learnt.dropped)
        reasons += (reasons.empty() ? "" : "; ") + name + ": " + reason;
    if (learnt.features().empty())
        throw Failure(kBadData, file.path() + ": no column is left as a feature: " + reasons);
    if (are_named && !learnt.dropped.empty())
        throw Failure(kBadData, file.path() + ": a column of --features is none: " + reasons);
}

/** What `use` returns; what the library says of it is said of the file. */
auto told(const auto &use, const std::string &path) {
    try {
        return use();
    } catch (const Error &error) {
        throw Failure(kBadData, path + ": " + error.what());
    }
}

/** Throws what the library says of the file. */
void check_file(dpa_status status, const std::string &path) {
    if (status != DPA_OK) throw Failure(kBadData, path + ": " + dpa_last_error());
}

}  // namespace

schema::Hints schema_hints(const DataArguments &arguments, const Settings &settings,
                           const std::string &baseline) {
    return {.labels = label_kind(settings, baseline),
            .positive = arguments.positive,
            .categories = arguments.categories,
            .ignored = hidden_columns(arguments),
            .computed = computed_features(arguments),
            .missing = arguments.missing,
            .keeps_numbers = !arguments.features.empty(),
            .knows_classes = settings.get("classes") != "auto"};
}

schema::Schema plain_schema(const std::vector<std::string> &names, const schema::Hints &hints) {
    schema::Schema schema = schema::Schema::plain(names);
    for (Column &column : schema.columns)
        if (hints.ignores(column.name())) column.hide();
    try {
        add_computed(hints, schema);
    } catch (const Error &error) {
        throw Failure(kBadData, error.what());
    }
    return schema;
}

schema::Schema learn_schema(const std::vector<std::string> &names, const TableSink &rows,
                            const SampleSink &file, const schema::Hints &hints) {
    for (const std::string &name : hints.categories)
        if (!contains(names, name))
            throw Failure(kBadData, file.path() + ": no feature is called \"" + name + '"');
    if (rows.table().rows() == 0) throw Failure(kBadData, file.path() + ": no row has a label");
    schema::LearntSchema learnt =
        told([&] { return learn(names, rows.table(), hints); }, file.path());
    const bool is_computed = std::ranges::all_of(learnt.invalid, &schema::InvalidCell::is_computed);
    const InvalidCells found = invalid_cells(names, rows, std::move(learnt.invalid));
    const std::string remedy = found.count == 0 ? ""
                               : is_computed ? "--compute needs a finite value in every public row"
                                             : help(found, hints.labels);
    if (are_labels(found) && found.count > 1) {  // texts, perhaps all of them
        std::vector<std::string> lines = file.lines(found);
        lines.insert(lines.begin(), remedy + ':');
        throw Failure(kBadData, lines);
    }
    file.check(found, remedy);
    for (const schema::Dropped &column : learnt.unusable)
        throw Failure(kBadData, file.path() + ": column \"" + column.name +
                                    "\" of --categories is none: " + column.reason);
    check_features(learnt.schema, file, hints.keeps_numbers);
    // Before anything is paid for a model that could not be written.
    told([&] { schema::LabelledSchema{learnt.schema, {}}.check_texts(); }, file.path());
    const std::string note = schema::left_out(rows.skipped());
    if (!note.empty()) learnt.schema.notes.push_back(note);
    return std::move(learnt.schema);
}

std::string model_text(const Model &model) {
    const std::vector<std::uint8_t> bytes = model.write();
    const auto schema = made<SchemaHandle>(dpa_schema_deserialize, bytes.data(), bytes.size());
    return filled_text(dpa_schema_model, schema.get(), model.solution.get(),
                       model.keeps_weights ? 1 : 0) +
           '\n';
}

Model read_model(const std::string &path) {
    const std::string text = read_file(path);
    const auto *data = reinterpret_cast<const unsigned char *>(text.data());
    dpa_schema *schema = nullptr;
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || text[first] != '{')
        throw Failure(kBadData, path + ": this is no model; fit --output saves one");
    check_file(dpa_schema_deserialize(data, text.size(), &schema), path);
    const auto bytes =
        filled<std::vector<std::uint8_t>>(dpa_schema_serialize, SchemaHandle(schema).get());
    const schema::LabelledSchema own = schema::LabelledSchema::read(bytes);
    dpa_solution *solution = nullptr;
    check_file(dpa_solution_deserialize(data, text.size(), &solution), path);
    return {own, SolutionHandle(solution)};
}

}  // namespace dpadapt::cli
