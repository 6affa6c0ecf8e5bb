#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/ledger.hpp"
#include "cli/model_file.hpp"
#include "cli/output.hpp"
#include "cli/privacy_report.hpp"
#include "cli/private_files.hpp"
#include "cli/report.hpp"
#include "cli/report_file.hpp"
#include "cli/settings.hpp"

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

}  // namespace dpadapt::cli
