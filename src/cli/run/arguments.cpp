#include "cli/run/arguments.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string>

#include "cli/read/arguments.hpp"
#include "cli/read/columns.hpp"
#include "cli/read/failure.hpp"
#include "cli/read/samples.hpp"
#include "cli/read/schema.hpp"

namespace dpadapt::cli {

void add_data_arguments(Command &command, DataArguments &arguments) {
    auto source = command.add("--source", arguments.source, "Source sample");
    auto target = command.add("--target", arguments.target, "Target sample");
    auto data = command.add("--data", arguments.data, "Both samples in one file");
    for (Argument *file : {&source, &target, &data}) file->placeholder("FILE.csv");
    source.excludes(data);
    command
        .add_repeated("--add-source", arguments.more_sources,
                      "Another source, with the columns of the first one; may be repeated. A fit "
                      "without privacy takes those that help")
        .placeholder("FILE.csv");
    target.excludes(data);
    command.add("--label", arguments.label, "Column of the labels")
        .required()
        .placeholder("COLUMN");
    command
        .add("--scores", arguments.scores,
             "Column with the scores of a model that exists already, in the units of the labels: "
             "the fit corrects them, and predictions are the corrected scores")
        .placeholder("COLUMN");
    command
        .add("--weight", arguments.weights,
             "Column with the weights of rows: one of weight 2 counts like two. A file without it "
             "has rows that count alike, and those of private rows are read with "
             "--set row_weight_bound=W only, which they are clipped to")
        .placeholder("COLUMN");
    command
        .add("--domain", arguments.domain,
             "Column with the words source and target, or SOURCE and TARGET, for --data; never a "
             "feature")
        .shows_default()
        .placeholder("COLUMN[=SOURCE,TARGET]");
    command
        .add_list("--features", arguments.features,
                  "Columns to use as features, in this order (default: all others)")
        .placeholder("A,B,C");
    command.add_list("--ignore", arguments.ignored, "Columns to leave out; \"A, B\" is one name")
        .placeholder("A,B,C");
    command
        .add("--source-map", arguments.source_map,
             "How the target's columns are made of the source's: a row for each such column with "
             "its name, a column for each of the source that is read, and (constant); factors are "
             "public, blanks are 0")
        .placeholder("FILE.csv");
    command
        .add_repeated("--own", arguments.own,
                      "Column of numbers that the target has and the source lacks, with a value "
                      "that is typical of it, which source rows and missing cells get; may be "
                      "repeated")
        .placeholder("COLUMN=VALUE");
    command
        .add("--group", arguments.group,
             "Column of the persons to whom the target's rows belong: persons are protected, "
             "not records; the first or the last column of the file")
        .placeholder("COLUMN");
    command
        .add_list("--categories", arguments.categories,
                  "Columns of numbers that are categories (columns of texts are)")
        .placeholder("A,B,C");
    command
        .add_repeated("--missing", arguments.missing,
                      "A word for a missing value, beside blanks, NA and the like; may be repeated")
        .placeholder("WORD");
    command
        .add("--positive", arguments.positive,
             "Label of the class that probabilities and coefficients are about, of two")
        .placeholder("VALUE");
    command
        .add_list("--rows", arguments.rows,
                  "Number of private records, whatever the file holds: missing ones are null, "
                  "surplus ones are left out; two numbers, source and target, when both are "
                  "private")
        .placeholder("N");
}

void add_settings(Command &command, std::vector<std::string> &assignments) {
    command
        .add_repeated("--set", assignments,
                      "Sets an option; may be repeated (see: dpadapt options)")
        .placeholder("KEY=VALUE");
    for (const auto &[flag, value, meaning] :
         {std::array{"--epsilon", "NUMBER", "Same as --set epsilon=NUMBER: the privacy budget"},
          std::array{"--delta", "NUMBER", "Same as --set delta=NUMBER, below 1 in the rows"},
          std::array{"--loss", "NAME", "Same as --set loss=NAME: logistic for two classes"},
          std::array{"--alpha", "NUMBER", "Same as --set alpha=NUMBER: share of the source"}})
        command.add_assignment(flag, assignments, meaning).placeholder(value);
}

Argument add_ledger_argument(Command &command, std::string &path) {
    return command
        .add("--ledger", path, "Private: pays from the budget in that file (see dpadapt ledger)")
        .placeholder("FILE");
}

void add_report_arguments(Command &command, ReportArguments &arguments) {
    const auto report =
        command.add("--report", arguments.path,
                    "Saves the privacy report: as JSON when the name ends in .json, with pictures "
                    "when it ends in .html, else as text");
    Argument(report).placeholder("FILE");
    command.add("--sign", arguments.key, "Signs that report with a key (see dpadapt key)")
        .needs(report)
        .placeholder("KEYFILE");
}

namespace {

constexpr std::size_t kFixed = std::size_t{1} << 18;  // releases, curves and sentences
constexpr std::size_t kNumber = 40;                   // with its separators and the blanks of lists

struct Sizes {
    std::size_t schema;
    std::size_t features;
    std::size_t outputs;
    std::size_t records;
};

Sizes sizes_of(const Samples &samples, const Settings &settings) {
    const std::size_t classes = samples.schema.labels.names().size();
    const std::string chosen = settings.get("classes");
    const std::size_t number = chosen == "auto" ? 0 : std::stoull(chosen);
    return {schema_json(samples.schema).dump(2).size(), samples.features.size() + 1,
            std::max({std::size_t{1}, classes, number}),
            std::max(samples.source.y.size(), samples.source_elsewhere) + samples.target.y.size()};
}

/** Parameters of a perceptron's layers; 0 for other losses. */
std::size_t hidden_parameters(const Sizes &sizes, const Settings &settings) {
    if (settings.get("loss") != "perceptron") return 0;
    std::string text = settings.get("hidden_units");
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream units(text);
    std::size_t count = 0;
    std::size_t before = sizes.features;
    for (std::size_t layer = 0; units >> layer; before = layer + 1) count += before * layer;
    return count + before * sizes.outputs;
}

}  // namespace

std::size_t room_for_model(const Samples &samples, const Settings &settings, bool keeps_weights) {
    const Sizes sizes = sizes_of(samples, settings);
    const bool has_matrix =
        settings.get("preprocess") == "whiten" || settings.get("inference") == "yes";
    const std::size_t numbers =
        sizes.features * (6 * sizes.outputs + 6) + hidden_parameters(sizes, settings) +
        (has_matrix ? sizes.features * sizes.features : 0) + (keeps_weights ? sizes.records : 0);
    return kFixed + 4 * sizes.schema + numbers * kNumber;
}

std::size_t room_for_report(const Samples &samples, const Settings &settings, bool has_weights) {
    const Sizes sizes = sizes_of(samples, settings);
    std::size_t names = 0;
    for (const std::string &name : samples.features) names += 6 * name.size();
    const std::size_t numbers =
        sizes.features * (8 * sizes.outputs + 16) + (has_weights ? sizes.records : 0);
    return kFixed + 4 * sizes.schema + 4 * names + numbers * kNumber;
}

std::size_t room_for_evaluation(std::size_t models) { return kFixed * (1 + models); }

}  // namespace dpadapt::cli
