#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/ledger.hpp"
#include "cli/output.hpp"
#include "cli/privacy_report.hpp"
#include "cli/private_files.hpp"
#include "cli/report.hpp"
#include "cli/report_file.hpp"
#include "cli/settings.hpp"

namespace dpadapt::cli {
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

}  // namespace dpadapt::cli
