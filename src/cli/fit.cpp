#include <memory>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/model_file.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"
#include "cli/settings.hpp"

namespace dpadapt::cli {
namespace {

struct FitArguments {
    DataArguments data;
    std::vector<std::string> assignments;
    std::string output;
    bool json = false;
    bool weights = false;
};

SolutionHandle solve(const Samples &samples, Settings &settings) {
    const ProblemHandle problem = make_problem(samples);
    dpa_solution *solution = nullptr;
    check(dpa_solve(problem.get(), nullptr, settings.options(), &solution));
    settings.progress().finish();
    return SolutionHandle(solution);
}

void fit(const FitArguments &arguments) {
    check_arguments(arguments.data);
    Settings settings(arguments.assignments);
    std::optional<Output> file;
    if (!arguments.output.empty()) file.emplace(arguments.output);

    const Samples samples = read_samples(arguments.data);
    const Model model{arguments.data.label, samples.features, solve(samples, settings)};
    if (file) file->write(model_text(model));

    Json report = solution_report(model.solution.get(), model.features);
    if (arguments.weights) add_weights(model.solution.get(), report);
    Output().write(arguments.json ? report.dump() + '\n' : solution_text(report));
}

}  // namespace

void add_fit(CLI::App &program) {
    const auto arguments = std::make_shared<FitArguments>();
    CLI::App *command =
        program.add_subcommand("fit", "Fits a predictor for the target from both samples");
    add_data_arguments(*command, arguments->data);
    add_settings(*command, arguments->assignments);
    command->add_option("--output", arguments->output, "Saves the predictor")
        ->type_name("MODEL.json");
    auto *json = command->add_flag("--json", arguments->json, "Prints one JSON object");
    command->add_flag("--weights", arguments->weights, "Adds the weights of the records to it")
        ->needs(json);
    command->callback([arguments] { fit(*arguments); });
}

}  // namespace dpadapt::cli
