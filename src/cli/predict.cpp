#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/file_identity.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_file.hpp"
#include "cli/number.hpp"
#include "cli/output.hpp"
#include "cli/privacy_report.hpp"
#include "cli/report.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {
namespace {

struct PredictArguments {
    std::string model;
    std::string data;
    std::string output;
    bool scores = false;
    bool probabilities = false;
};

/** Columns of numbers under their names. */
class Table {
  public:
    Table(const Model &model, const std::vector<double> &x)
        : model_(model), x_(x), rows_(x.size() / model.features.size()) {}

    /** Adds what the function computes: `count` columns, numbered if `many`. */
    void add(decltype(dpa_solution_predict) *compute, const std::string &name, std::size_t count,
             bool many) {
        const std::size_t cols = model_.features.size();
        std::vector<double> &values = values_.emplace_back(rows_ * count);
        check(compute(model_.solution.get(), x_.data(), rows_, cols, cols, DPA_ROW_MAJOR,
                      values.data(), values.size()));
        for (std::size_t k = 0; k < count; ++k)
            header_ += (header_.empty() ? "" : ",") + name + (many ? '_' + std::to_string(k) : "");
    }

    [[nodiscard]] std::string text() const {
        std::string text = header_ + '\n';
        for (std::size_t i = 0; i < rows_; ++i) {
            const std::size_t line = text.size();
            for (const std::vector<double> &values : values_)
                for (std::size_t at = i; at < values.size(); at += rows_)
                    text += (text.size() == line ? "" : ",") + to_text(values[at]);
            text += '\n';
        }
        return text;
    }

  private:
    const Model &model_;
    const std::vector<double> &x_;
    std::size_t rows_;
    std::string header_;
    std::vector<std::vector<double>> values_;
};

/** A result without noise that is secret must not pass for a private one. */
void warn_if_seeded(const dpa_solution *solution) {
    if (protection(solution) != "seeded") return;
    std::fputs("dpadapt: NOT PRIVATE: the noise of this predictor came from unsafe_seed\n", stderr);
}

void predict(const PredictArguments &arguments) {
    check_outputs({{"--output", arguments.output}},
                  {{"--model", arguments.model}, {"--data", arguments.data}});
    const InterruptGuard interrupt;
    Output output(arguments.output);
    const Model model = read_model(arguments.model);
    warn_if_seeded(model.solution.get());
    const std::vector<double> x = read_features(arguments.data, model.features);
    const std::size_t count = outputs(model.solution.get());
    Table table(model, x);
    table.add(dpa_solution_predict, "prediction", 1, false);
    if (arguments.scores) table.add(dpa_solution_scores, "score", count, count > 1);
    if (arguments.probabilities)
        table.add(dpa_solution_probabilities, "probability", count, count > 1);
    output.write(table.text());
}

}  // namespace

void add_predict(Command &program) {
    const auto arguments = std::make_shared<PredictArguments>();
    Command command = program.add_command("predict", "Predicts labels with a saved predictor");
    command.add("--model", arguments->model, "Predictor saved by fit")
        .required()
        .placeholder("MODEL.json");
    command.add("--data", arguments->data, "Rows with the features' columns")
        .required()
        .placeholder("FILE.csv");
    command.add("--output", arguments->output, "Writes to this file instead of printing")
        .placeholder("FILE.csv");
    command.add_flag("--scores", arguments->scores,
                     "Adds the scores: score, or score_0, score_1 and so on for the classes");
    command.add_flag("--probabilities", arguments->probabilities,
                     "Adds the probability of the label 1, or probability_0 and so on for the "
                     "classes");
    command.runs([arguments] { predict(*arguments); });
}

}  // namespace dpadapt::cli
