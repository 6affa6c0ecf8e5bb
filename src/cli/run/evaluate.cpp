#include <memory>
#include <optional>

#include "cli/read/arguments.hpp"
#include "cli/read/failure.hpp"
#include "cli/read/model_file.hpp"
#include "cli/read/sample.hpp"
#include "cli/read/samples.hpp"
#include "cli/read/schema.hpp"
#include "cli/run/arguments.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/fits.hpp"
#include "cli/show/evaluation.hpp"
#include "cli/show/output.hpp"
#include "cli/show/privacy_report.hpp"

namespace dpadapt::cli {

namespace {

struct EvaluateArguments {
    std::vector<std::string> models;
    std::string data;
    std::string label;
    std::string source;
    std::vector<std::string> rows;
    std::vector<std::string> assignments;
    std::string ledger;
    std::string group;
    bool json = false;
};

/** Whether every label is the same number for both. */
bool same_labels(const schema::Labels &a, const schema::Labels &b) {
    for (const schema::Labels *labels : {&a, &b}) {
        for (const std::string &name : labels->names()) {
            const schema::Cell cell = schema::read_cell(name, {});
            if (a.encode(cell) != b.encode(cell)) return false;
        }
    }
    return true;
}

/** Empties the medians, by which missing cells are filled. */
Json without_medians(Json columns) {
    for (Json &column : columns)
        if (column.contains("median")) column["median"] = nullptr;
    return columns;
}

/** Why rows of a table are not the same records for both; empty if they are. */
std::string difference(const schema::Schema &a, const schema::Schema &b) {
    const Json first = schema_json(a);
    const Json second = schema_json(b);
    if (without_medians(first["columns"]) != without_medians(second["columns"]) ||
        first["missing"] != second["missing"] || !same_labels(a.labels, b.labels))
        return "has other features, or another coding of columns and labels, than ";
    for (std::size_t k = 0; k < first["columns"].size(); ++k) {
        const Json &column = first["columns"][k];
        if (column != second["columns"][k])
            return "fills missing cells of \"" + column["name"].get<std::string>() +
                   "\" with another value (a median of the public rows that it was made from: "
                   "models that are compared must learn their columns from one --source) than ";
    }
    return {};
}

std::vector<Model> read_models(const std::vector<std::string> &paths) {
    if (paths.empty()) throw Failure(kUsage, "--model is needed (see --help)");
    std::vector<Model> models;
    for (const std::string &path : paths) {
        models.push_back(read_model(path));
        const std::string why = difference(models.back().schema, models.front().schema);
        if (!why.empty()) throw Failure(kBadData, path + ": the model " + why + paths.front());
        if (models.back().scores != models.front().scores)
            throw Failure(kBadData,
                          path + ": the model corrects other scores than " + paths.front());
    }
    return models;
}

/** What the model knows is no option of its evaluation. */
void check_assignments(const std::vector<std::string> &assignments) {
    for (const std::string &assignment : assignments)
        for (const char *key : {"alpha", "loss", "method"})
            if (assignment.starts_with(std::string(key) + '='))
                throw Failure(kUsage, std::string("the option ") + key +
                                          " is for fits: a saved model has its own");
}

void evaluate(const EvaluateArguments &arguments) {
    check_assignments(arguments.assignments);
    const Settings settings(arguments.assignments);
    const LedgerHandle ledger = open_ledger(arguments.ledger, settings);
    const bool is_private = settings.is_private("target");
    if (!arguments.source.empty() && settings.is_private("source"))
        throw Failure(kUsage,
                      "--source is for public rows, but private_domain makes the source private");
    if (is_private) check_apart({"--data", arguments.data}, {{"--source", arguments.source}});
    if (!arguments.group.empty() && !arguments.rows.empty())
        throw Failure(kUsage, "--rows is refused with --group, which leaves their number private");
    const std::size_t count = fixed_number_of_rows("--rows", arguments.rows, is_private);
    const std::vector<Model> models = read_models(arguments.models);
    const schema::Schema &schema = models.front().schema;
    const std::string label = arguments.label.empty() ? models.front().label : arguments.label;
    const std::string &scores = models.front().scores;
    const Sample rows =
        read_sample(arguments.data, schema, label, scores, is_private, count, arguments.group);
    tell_unknown(rows.unknown);
    std::optional<Sample> source;
    if (!arguments.source.empty())
        source = read_sample(arguments.source, schema, label, scores, false, 0);
    std::vector<const dpa_solution *> solutions;
    solutions.reserve(models.size());
    for (const Model &model : models) solutions.push_back(model.solution.get());
    Output printed;
    if (is_private) printed.reserve(room_for_evaluation(models.size()));
    Json report = evaluation_report({&rows, source ? &*source : nullptr, schema.features().size()},
                                    ledger, solutions, arguments.models, settings);
    Result result{report.dump() + '\n', is_private};
    deliver(result, [&] {
        printed.write(arguments.json ? result.text : printable(evaluation_text(report)));
    });
}

}  // namespace

void add_evaluate(Command &program) {
    const auto arguments = std::make_shared<EvaluateArguments>();
    Command command = program.add_command(
        "evaluate", "Measures the error of saved predictors on labelled rows, with intervals");
    command
        .add_repeated("--model", arguments->models,
                      "Predictor saved by fit; of several, differences from the first one too")
        .required()
        .placeholder("MODEL.json");
    command.add("--data", arguments->data, "Labelled rows that no predictor was fitted on")
        .required()
        .placeholder("FILE.csv");
    command.add("--label", arguments->label, "Column of the labels (default: the model's)")
        .placeholder("COLUMN");
    command
        .add("--source", arguments->source,
             "Private: public rows by which losses are clipped, instead of a first release")
        .placeholder("FILE.csv");
    command
        .add_list("--rows", arguments->rows,
                  "Private: number of records, whatever the file holds: missing ones have the "
                  "largest loss, surplus ones are left out")
        .placeholder("N");
    command
        .add("--group", arguments->group,
             "Column of the persons to whom the private rows belong: they are protected, and the "
             "error is the mean over persons; the first or the last column of the file")
        .placeholder("COLUMN");
    add_settings(command, arguments->assignments);
    add_ledger_argument(command, arguments->ledger);
    command.add_flag("--json", arguments->json, "Prints one JSON object");
    command.runs([arguments] { evaluate(*arguments); });
}

}  // namespace dpadapt::cli
