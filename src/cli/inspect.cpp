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
    const Json report = {
        {"notice",
         "NOT PRIVATE: counted from private records without noise, for their "
         "custodian only. Do not publish these counts or use them to choose options."},
        {"private", false},
        {"nonfinite", nonfinite},
        {"scaled", scaled},
        {"clamped", clamped}};
    Output().write(arguments.json ? report.dump() + '\n' : inspection_text(report));
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
