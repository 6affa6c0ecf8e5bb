#include <dpadapt/inspect.h>

#include <memory>

#include "cli/read/arguments.hpp"
#include "cli/read/failure.hpp"
#include "cli/read/model_file.hpp"
#include "cli/read/samples.hpp"
#include "cli/read/settings.hpp"
#include "cli/run/arguments.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/fits.hpp"
#include "cli/show/output.hpp"
#include "cli/show/privacy_report.hpp"
#include "cli/show/report.hpp"
#include "cli/show/report_file.hpp"

namespace dpadapt::cli {

namespace {

struct BaselineArguments {
    std::string method;
    DataArguments data;
    std::vector<std::string> assignments;
    std::string ledger;
    std::string output;
    ReportArguments report;
    bool json = false;
};

void baseline(const BaselineArguments &arguments) {
    check_arguments(arguments.data);
    check_outputs({{"--output", arguments.output}, {"--report", arguments.report.path}},
                  input_files(arguments.data, arguments.ledger, arguments.report.key));
    Settings settings(arguments.assignments);
    const LedgerHandle ledger = open_ledger(arguments.ledger, settings);
    ReportFile report_file(arguments.report.path, arguments.report.key);
    std::optional<Output> model_file;
    if (!arguments.output.empty()) model_file.emplace(arguments.output, settings.readers());
    const Samples samples = read_samples(arguments.data, settings, arguments.method);
    Output printed;
    if (settings.is_private()) {
        if (model_file) model_file->reserve(room_for_model(samples, settings, false));
        const std::size_t room = room_for_report(samples, settings, arguments.json);
        report_file.reserve(room);
        printed.reserve(room);
    }
    const ProblemHandle problem = make_problem(samples);
    use_ledger(problem, ledger);
    dpa_solution *solution = nullptr;
    pay(problem, "the fit", [&] {
        check(dpa_baseline_solve(problem.get(), arguments.method.c_str(), settings.options(),
                                 &solution));
    });
    settings.progress().finish();
    const Model model{arguments.data.label, samples.schema, SolutionHandle(solution), false,
                      arguments.data.scores};
    Result result{model_text(model), settings.is_private()};
    deliver(result, [&] {
        if (model_file) {
            model_file->write(result.text);
            result.saved = true;
        }
        Json report = solution_report(solution, samples.schema);
        report_file.write([&](int32_t form) { return report_text(report, solution, form); });
        if (arguments.json) add_weights(solution, report);
        printed.write(arguments.json ? report.dump() + '\n' : printable(solution_text(report)));
    });
}

/** Names and meanings, one a line. */
std::string footer() {
    std::string text = "Methods:\n";
    for (std::size_t k = 0; k < dpa_baseline_count(); ++k) {
        std::string name(dpa_baseline_name(k));
        name.resize(std::max<std::size_t>(name.size(), 14), ' ');
        text += "  " + name + dpa_baseline_doc(k) + '\n';
    }
    return text;
}

}  // namespace

void add_baseline(Command &program) {
    const auto arguments = std::make_shared<BaselineArguments>();
    Command command =
        program.add_command("baseline", "Computes a method to compare with (NAME: see below)");
    command.add("method", arguments->method, "Name of the method").required().placeholder("NAME");
    add_data_arguments(command, arguments->data);
    add_settings(command, arguments->assignments);
    add_ledger_argument(command, arguments->ledger);
    command.add("--output", arguments->output, "Saves the predictor").placeholder("MODEL.json");
    add_report_arguments(command, arguments->report);
    command.add_flag("--json", arguments->json, "Prints one JSON object, weights included");
    command.footer(footer());
    command.runs([arguments] { baseline(*arguments); });
}

namespace {

struct DiscrepancyArguments {
    DataArguments data;
    std::vector<std::string> assignments;
    std::string ledger;
    ReportArguments report;
    bool json = false;
};

void discrepancy(const DiscrepancyArguments &arguments) {
    check_arguments(arguments.data);
    check_outputs({{"--report", arguments.report.path}},
                  input_files(arguments.data, arguments.ledger, arguments.report.key));
    Settings settings(arguments.assignments);
    const LedgerHandle ledger = open_ledger(arguments.ledger, settings);
    ReportFile report_file(arguments.report.path, arguments.report.key);
    const Samples samples = read_samples(arguments.data, settings);
    Output printed;
    if (settings.is_private()) {
        const std::size_t room = room_for_report(samples, settings, false);
        report_file.reserve(room);
        printed.reserve(room);
    }
    const ProblemHandle problem = make_problem(samples);
    use_ledger(problem, ledger);
    dpa_discrepancy *estimate = nullptr;
    pay(problem, "the discrepancy",
        [&] { check(dpa_discrepancy_estimate(problem.get(), settings.options(), &estimate)); });
    const DiscrepancyHandle handle(estimate);
    settings.progress().finish();
    Json report = discrepancy_report(estimate, samples.features);
    report["privacy"] = Json::parse(privacy_report(problem.get(), settings, DPA_REPORT_JSON));
    Result result{report.dump() + '\n', settings.is_private()};
    deliver(result, [&] {
        report_file.write(
            [&](int32_t form) { return privacy_report(problem.get(), settings, form); });
        printed.write(arguments.json ? result.text : printable(discrepancy_text(report)));
    });
}

}  // namespace

void add_discrepancy(Command &program) {
    const auto arguments = std::make_shared<DiscrepancyArguments>();
    Command command =
        program.add_command("discrepancy", "Estimates the discrepancy between the samples");
    add_data_arguments(command, arguments->data);
    add_settings(command, arguments->assignments);
    add_ledger_argument(command, arguments->ledger);
    add_report_arguments(command, arguments->report);
    command.add_flag("--json", arguments->json, "Prints one JSON object");
    command.runs([arguments] { discrepancy(*arguments); });
}

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
