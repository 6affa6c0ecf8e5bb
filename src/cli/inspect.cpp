#include <dpadapt/inspect.h>

#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"
#include "cli/settings.hpp"

namespace dpadapt::cli {
namespace {

struct InspectArguments {
    DataArguments data;
    std::vector<std::string> assignments;
    bool json = false;
};

/** What did not fit in the private files, column by column. */
Json tally_json(const Sample &sample, const schema::Schema &schema, const std::string &label) {
    const auto count = [](const Tally &tally, std::size_t k, schema::Fit fit) {
        return tally.columns[k][static_cast<std::size_t>(fit)];
    };
    Json columns = Json::object();
    for (std::size_t k = 0; k < schema.columns.size(); ++k) {
        Json counts = Json::object();
        const auto add = [&](const char *reason, schema::Fit fit) {
            if (const std::size_t found = count(sample.tally, k, fit)) counts[reason] = found;
        };
        add("missing", schema::Fit::missing);
        add("not a number", schema::Fit::no_number);
        add("unknown level", schema::Fit::unknown_level);
        if (!counts.empty()) columns[schema.columns[k].name()] = counts;
    }
    if (sample.tally.no_label > 0) columns[label]["no label"] = sample.tally.no_label;
    if (sample.tally.unknown_label > 0)
        columns[label]["unknown label"] = sample.tally.unknown_label;
    return {{"records", sample.y.size()},
            {"wrong number of cells", sample.tally.no_record},
            {"columns", columns}};
}

void inspect(const InspectArguments &arguments) {
    check_arguments(arguments.data);
    Settings settings(arguments.assignments);
    const Samples samples = read_samples(arguments.data, settings);
    const ProblemHandle problem = make_problem(samples);
    std::size_t nonfinite = 0;
    std::size_t scaled = 0;
    std::size_t clamped = 0;
    check(dpa_inspect_private(problem.get(), settings.options(), &nonfinite, &scaled, &clamped));
    settings.progress().finish();
    Json report = {{"notice",
                    "NOT PRIVATE: counted from private records without noise, for their "
                    "custodian only. Do not publish these counts or use them to choose options."},
                   {"private", false},
                   {"nonfinite", nonfinite},
                   {"scaled", scaled},
                   {"clamped", clamped},
                   {"labels", samples.schema.labels.known()},
                   {"files", Json::object()}};
    for (const auto &[name, sample] :
         {std::pair("source", &samples.source), std::pair("target", &samples.target)})
        if (sample->is_private)
            report["files"][name] = tally_json(*sample, samples.schema, arguments.data.label);
    Output().write(arguments.json ? report.dump() + '\n' : printable(inspection_text(report)));
}

}  // namespace

void add_inspect(Command &program) {
    const auto arguments = std::make_shared<InspectArguments>();
    Command command = program.add_command(
        "inspect", "NOT PRIVATE, for the data's custodian: counts unusable private records");
    add_data_arguments(command, arguments->data);
    add_settings(command, arguments->assignments);
    command.add_flag("--json", arguments->json, "Prints one JSON object");
    command.runs([arguments] { inspect(*arguments); });
}

}  // namespace dpadapt::cli
