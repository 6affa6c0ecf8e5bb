#include <algorithm>
#include <cstdio>
#include <functional>

#include "cli/read/failure.hpp"
#include "cli/read/samples.hpp"
#include "cli/read/schema.hpp"
#include "cli/run/commands.hpp"
#include "cli/show/output.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

struct PredictArguments {
    std::string model;
    std::string data;
    std::string output;
    std::vector<std::string> kept;
    std::string na = "keep";
    std::optional<double> interval;  // level
    std::vector<std::string> times;
    bool scores = false;
    bool probabilities = false;
};

/** As a cell that any reader of CSV understands. */
std::string quoted(const std::string &text) {
    if (!text.empty() && text.find_first_of(",;\"\t\r\n") == std::string::npos) return text;
    std::string cell = "\"";
    for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
    return cell + '"';
}

/** Rows of cells below the names of their columns. */
struct PredictionTable {
    void add(const std::string &name, const std::function<std::string(std::size_t row)> &cell) {
        names.push_back(name);
        if (!repeated_name(names).empty())
            throw Failure(kUsage, "two columns would be called \"" + name +
                                      "\": --keep names one twice, or one as a prediction is");
        header += (header.empty() ? "" : ",") + quoted(name);
        for (std::size_t i = 0; i < lines.size(); ++i)
            lines[i] += (names.size() == 1 ? "" : ",") + quoted(cell(i));
    }

    std::vector<std::string> lines;  // as many as there are rows
    std::vector<std::string> names{};
    std::string header{};
};

/** The rows as the library reads them. */
dpa_matrix matrix_of(const Model &model, const Rows &rows) {
    const std::size_t features = model.schema.features().size();
    return {rows.x.data(), rows.x.size() / features, features, features, DPA_ROW_MAJOR};
}

/** Predictions of that kind, DPA_PREDICT_*: `count` numbers a row, one column after the other. */
std::vector<double> computed(std::int32_t kind, const Model &model, const Rows &rows,
                             std::size_t count) {
    const dpa_matrix x = matrix_of(model, rows);
    std::vector<double> values(x.rows * count);
    check(dpa_solution_predict(model.solution.get(), kind, x, values.data(), values.size()));
    return values;
}

/** A column, or one for each class. */
void add_numbers(std::int32_t kind, const std::string &name, const Model &model, const Rows &rows,
                 PredictionTable &table) {
    const std::size_t count = outputs(model.solution.get());
    const std::vector<double> values = computed(kind, model, rows, count);
    const std::vector<std::string> &classes = model.schema.labels.names();
    for (std::size_t k = 0; k < count; ++k) {
        const std::string label = k < classes.size() ? classes[k] : std::to_string(k);
        table.add(count > 1 ? name + '_' + label : name,
                  [&](std::size_t row) { return to_text(values[k * table.lines.size() + row]); });
    }
}

/** The ends of intervals, or whether each class is in the row's set. */
void add_intervals(double level, const Model &model, const Rows &rows, PredictionTable &table) {
    const std::vector<std::string> &classes = model.schema.labels.names();
    const bool sets = !classes.empty();
    const std::size_t count = sets ? std::max<std::size_t>(outputs(model.solution.get()), 2) : 2;
    const std::size_t n = table.lines.size();
    std::vector<double> values(n * count);
    check(dpa_solution_predict_interval(model.solution.get(), level, matrix_of(model, rows),
                                        values.data(), values.size()));
    for (std::size_t k = 0; k < count; ++k) {
        const std::string name = sets ? "set_" + classes[k] : k == 0 ? "lower" : "upper";
        table.add(name, [&](std::size_t row) {
            const double given = row < rows.scores.size() ? rows.scores[row] : 0.0;
            return to_text(values[k * n + row] + given);
        });
    }
}

/** Survival at each time and, with a level, the ends of its interval. */
void add_survival(const std::vector<std::string> &times, std::optional<double> level,
                  const Model &model, const Rows &rows, PredictionTable &table) {
    std::vector<double> at;
    for (const std::string &text : times) {
        const std::optional<double> time = parse_number(text);
        if (!time || !(*time >= 0.0))
            throw Failure(kUsage, "--times needs numbers of at least 0, not \"" + text + '"');
        at.push_back(*time);
    }
    const std::size_t n = table.lines.size();
    const auto add = [&](double confidence, std::initializer_list<const char *> names) {
        std::vector<double> values(names.size() * times.size() * n);
        check(dpa_solution_survival(model.solution.get(), confidence, matrix_of(model, rows),
                                    at.data(), at.size(), values.data(), values.size()));
        const double *of_column = values.data();
        for (const char *name : names)
            for (const std::string &time : times) {
                table.add(name + ('_' + time),
                          [&](std::size_t row) { return to_text(of_column[row]); });
                of_column += n;
            }
    };
    add(0.0, {"survival"});
    if (level) add(*level, {"lower", "upper"});
}

/** A cell that does not fit counts as missing, as it did in a fit; so does not a whole row. */
void check_rows(const Rows &rows, const std::string &na) {
    if (!rows.problems.empty()) {
        if (na == "fail") throw Failure(kBadData, rows.problems);
        std::fprintf(stderr, "dpadapt: cells that do not fit count as missing:\n  %s\n",
                     in_lines(rows.problems).c_str());
    }
    tell_unknown(rows.unknown);
}

/** The rows of the file with their predictions, as CSV. */
std::string predictions(const PredictArguments &arguments, const Model &model) {
    const Rows rows = read_rows(arguments.data, model.schema, arguments.kept, model.scores);
    check_rows(rows, arguments.na);
    std::vector<double> values = computed(DPA_PREDICT_LABELS, model, rows, 1);
    // Predictions that correct a given model are added to its scores.
    for (std::size_t i = 0; i < rows.scores.size(); ++i) values[i] += rows.scores[i];
    PredictionTable table{std::vector<std::string>(values.size())};
    for (std::size_t k = 0; k < arguments.kept.size(); ++k)
        table.add(arguments.kept[k],
                  [&](std::size_t row) { return rows.kept[row * arguments.kept.size() + k]; });
    table.add("prediction",
              [&](std::size_t row) { return model.schema.labels.decode(values[row]); });
    if (!arguments.times.empty())
        add_survival(arguments.times, arguments.interval, model, rows, table);
    else if (arguments.interval)
        add_intervals(*arguments.interval, model, rows, table);
    if (arguments.scores) add_numbers(DPA_PREDICT_SCORES, "score", model, rows, table);
    if (arguments.probabilities)
        add_numbers(DPA_PREDICT_PROBABILITIES, "probability", model, rows, table);
    return table.header + '\n' + joined(table.lines, "\n") + (values.empty() ? "" : "\n");
}

void predict(const PredictArguments &arguments) {
    if (arguments.na != "keep" && arguments.na != "fail")
        throw Failure(kUsage, "--na needs keep or fail, not \"" + arguments.na + '"');
    const InterruptGuard interrupt;
    Output output(arguments.output);
    const Model model = read_model(arguments.model);
    // A result without noise that is secret must not pass for a private one.
    if (protection(model.solution.get()) == "seeded")
        std::fputs("dpadapt: NOT PRIVATE: the noise of this predictor came from unsafe_seed\n",
                   stderr);
    within_memory(arguments.data, [&] { output.write(predictions(arguments, model)); });
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
             "A cell that does not fit: keep takes it for missing, as a fit does; fail stops")
        ->capture_default_str();
    command
        .add_option("--interval", arguments.interval,
                    "Adds lower and upper, which hold the label with that probability, or "
                    "set_CLASS for each class, for models of calibrate; with --times those of "
                    "survival, for models fitted with inference=yes")
        ->check([](const std::string &level) {
            const std::optional<double> number = parse_number(level);
            return number && *number > 0.0 && *number < 1.0 ? "" : "the level must be in (0, 1)";
        })
        ->type_name("LEVEL");
    add_list(command, "--times", arguments.times, "T1,T2",
             "Of a model fitted with loss=survival: adds survival_T1 and so on, the probability "
             "to be without an event up to that time");
    command.add_flag("--scores", arguments.scores,
                     "Adds the scores: score, or score_0, score_1 and so on for the classes");
    command.add_flag("--probabilities", arguments.probabilities,
                     "Adds the probability of the positive label in the column probability, or "
                     "of each of several classes in columns probability_LABEL");
}

}  // namespace dpadapt::cli
