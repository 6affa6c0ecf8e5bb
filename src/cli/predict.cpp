#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_file.hpp"
#include "cli/number.hpp"
#include "cli/output.hpp"
#include "cli/privacy_report.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {
namespace {

struct PredictArguments {
    std::string model;
    std::string data;
    std::string output;
};

std::vector<double> predictions(const Model &model, const std::vector<double> &x) {
    const std::size_t cols = model.features.size();
    std::vector<double> result(x.size() / cols);
    check(dpa_solution_predict(model.solution.get(), x.data(), result.size(), cols, cols,
                               DPA_ROW_MAJOR, result.data(), result.size()));
    return result;
}

/** A result without noise that is secret must not pass for a private one. */
void warn_if_seeded(const dpa_solution *solution) {
    if (protection(solution) != "seeded") return;
    std::fputs("dpadapt: NOT PRIVATE: the noise of this predictor came from unsafe_seed\n", stderr);
}

void predict(const PredictArguments &arguments) {
    const InterruptGuard interrupt;
    Output output(arguments.output);
    const Model model = read_model(arguments.model);
    warn_if_seeded(model.solution.get());
    const std::vector<double> x = read_features(arguments.data, model.features);
    std::string text = "prediction\n";
    for (const double value : predictions(model, x)) text += to_text(value) + '\n';
    output.write(text);
}

}  // namespace

void add_predict(CLI::App &program) {
    const auto arguments = std::make_shared<PredictArguments>();
    CLI::App *command = program.add_subcommand("predict", "Predicts labels by a saved predictor");
    command->add_option("--model", arguments->model, "Predictor saved by fit")
        ->required()
        ->type_name("MODEL.json");
    command->add_option("--data", arguments->data, "Rows with the features' columns")
        ->required()
        ->type_name("FILE.csv");
    command->add_option("--output", arguments->output, "Writes to this file instead of printing")
        ->type_name("FILE.csv");
    command->callback([arguments] { predict(*arguments); });
}

}  // namespace dpadapt::cli
