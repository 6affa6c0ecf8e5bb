#include <cstdio>

#include "cli/read/columns.hpp"
#include "cli/read/failure.hpp"
#include "cli/read/model_file.hpp"
#include "cli/read/samples.hpp"
#include "cli/run/commands.hpp"
#include "cli/show/output.hpp"
#include "cli/show/privacy_report.hpp"

namespace dpadapt::cli {

namespace {

struct PredictArguments {
    std::string model;
    std::string data;
    std::string output;
    std::vector<std::string> kept;
    std::string na = "keep";
    bool scores = false;
    bool probabilities = false;
};

/** Columns of numbers under their names. */
class PredictionTable {
  public:
    PredictionTable(const Model &model, const Rows &rows, const std::vector<std::string> &kept)
        : model_(model),
          x_(rows.x),
          kept_(rows.kept),
          features_(model.schema.features().size()),
          rows_(rows.x.size() / features_) {
        for (const std::string &name : kept) add_name(name);
    }

    /** Adds what the function computes: `count` columns, numbered if `many`. */
    void add(decltype(dpa_solution_predict) *compute, const std::string &name, std::size_t count,
             bool many) {
        std::vector<double> &values = values_.emplace_back(rows_ * count);
        check(compute(model_.solution.get(), x_.data(), rows_, features_, features_, DPA_ROW_MAJOR,
                      values.data(), values.size()));
        for (std::size_t k = 0; k < count; ++k) add_name(name + (many ? '_' + class_name(k) : ""));
    }

    /** Predictions that correct a given model are added to its scores. */
    void correct(const std::vector<double> &scores) {
        for (std::size_t i = 0; i < scores.size(); ++i) values_.front()[i] += scores[i];
    }

    [[nodiscard]] std::string text() const {
        std::string text = header_ + '\n';
        const std::size_t kept = rows_ > 0 ? kept_.size() / rows_ : 0;
        for (std::size_t i = 0; i < rows_; ++i) {
            std::string line;
            for (std::size_t k = 0; k < kept; ++k) add_cell(line, quoted(kept_[i * kept + k]));
            for (std::size_t k = 0; k < values_.size(); ++k)
                for (std::size_t at = i; at < values_[k].size(); at += rows_)
                    add_cell(line, k == 0 ? quoted(model_.schema.labels.decode(values_[k][at]))
                                          : to_text(values_[k][at]));
            text += line + '\n';
        }
        return text;
    }

  private:
    void add_name(const std::string &name) {
        names_.push_back(name);
        if (!repeated_name(names_).empty())
            throw Failure(kUsage, "two columns would be called \"" + name +
                                      "\": --keep names one twice, or one as a prediction is");
        add_cell(header_, quoted(name));
    }

    static void add_cell(std::string &line, const std::string &cell) {
        if (!line.empty()) line += ',';
        line += cell;
    }

    /** As a cell that any reader of CSV understands. */
    static std::string quoted(const std::string &text) {
        if (!text.empty() && text.find_first_of(",;\"\t\r\n") == std::string::npos) return text;
        std::string cell = "\"";
        for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
        return cell + '"';
    }

    [[nodiscard]] std::string class_name(std::size_t k) const {
        const std::vector<std::string> &names = model_.schema.labels.names();
        return k < names.size() ? names[k] : std::to_string(k);
    }

    const Model &model_;
    const std::vector<double> &x_;
    const std::vector<std::string> &kept_;
    std::size_t features_;
    std::size_t rows_;
    std::string header_;
    std::vector<std::string> names_;
    std::vector<std::vector<double>> values_;
};

/** A result without noise that is secret must not pass for a private one. */
void warn_if_seeded(const dpa_solution *solution) {
    if (protection(solution) != "seeded") return;
    std::fputs("dpadapt: NOT PRIVATE: the noise of this predictor came from unsafe_seed\n", stderr);
}

/** A cell that does not fit counts as missing, as it did in a fit; so does not a whole row. */
void check_rows(const Rows &rows, const std::string &na) {
    if (!rows.problems.empty()) {
        if (na == "fail") throw Failure(kBadData, rows.problems);
        std::fprintf(stderr, "dpadapt: cells that do not fit count as missing:\n  %s\n",
                     printable(rows.problems).c_str());
    }
    tell_unknown(rows.unknown);
}

void predict(const PredictArguments &arguments) {
    if (arguments.na != "keep" && arguments.na != "fail")
        throw Failure(kUsage, "--na needs keep or fail, not \"" + arguments.na + '"');
    check_outputs({{"--output", arguments.output}},
                  {{"--model", arguments.model}, {"--data", arguments.data}});
    const InterruptGuard interrupt;
    Output output(arguments.output);
    const Model model = read_model(arguments.model);
    warn_if_seeded(model.solution.get());
    const Rows rows = read_rows(arguments.data, model.schema, arguments.kept, model.scores);
    check_rows(rows, arguments.na);
    const std::size_t count = outputs(model.solution.get());
    PredictionTable table(model, rows, arguments.kept);
    table.add(dpa_solution_predict, "prediction", 1, false);
    table.correct(rows.scores);
    if (arguments.scores) table.add(dpa_solution_scores, "score", count, count > 1);
    if (arguments.probabilities)
        table.add(dpa_solution_probabilities, "probability", count, count > 1);
    output.write(table.text());
}

}  // namespace

void add_predict(Command &program) {
    const auto [command, arguments] =
        new_command(program, "predict", "Predicts labels with a saved predictor", predict);
    add_text(command, "--model", arguments.model, "MODEL.json", "Predictor saved by fit")
        ->required();
    add_text(command, "--data", arguments.data, "FILE.csv", "Rows with the features' columns")
        ->required();
    add_text(command, "--output", arguments.output, "FILE.csv",
             "Writes to this file instead of printing");
    add_list(command, "--keep", arguments.kept, "A,B,C",
             "Columns to copy in front of the predictions, such as an id");
    add_text(command, "--na", arguments.na, "keep|fail",
             "What a cell that does not fit does: keep takes it for missing, as a fit does, "
             "fail stops")
        ->capture_default_str();
    command.add_flag("--scores", arguments.scores,
                     "Adds the scores: score, or score_0, score_1 and so on for the classes");
    command.add_flag("--probabilities", arguments.probabilities,
                     "Adds the probability of the label 1, or probability_0 and so on for the "
                     "classes");
}

}  // namespace dpadapt::cli
