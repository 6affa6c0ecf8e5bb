#include <cmath>
#include <optional>

#include "cli/read/failure.hpp"
#include "cli/read/schema.hpp"
#include "cli/run/assess.hpp"
#include "cli/run/job.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

std::vector<std::string> without_privacy() {
    return {"private_domain=none", "epsilon=unset", "delta=unset", "selection_epsilon=unset",
            "row_weight_bound=none"};
}

Candidate public_only(const Samples &samples, const std::vector<std::string> &assignments,
                      std::vector<std::string> replacements) {
    Sample made_up;  // where both are private: a dry run alone asks, and no private row counts
    made_up.x.assign(2 * samples.features.size(), 0.0);
    made_up.y = {1.0, 1.0};
    const bool is_none = samples.source.is_private && samples.target.is_private;
    std::string loss = option_text(assignments, "loss");
    if (loss == "perceptron") loss = option_text(assignments, "perceptron_output");
    if (is_none && loss != "logistic" && loss != "softmax") {
        made_up.y = {1.0, 2.0};  // a range, as a private fit has one
        replacements.emplace_back("prediction_range=1");
    }
    const Sample &rows = !samples.source.is_private   ? samples.source
                         : !samples.target.is_private ? samples.target
                                                      : made_up;
    const std::string name = samples.source.is_private ? "target_only" : "source_only";
    const OptionsHandle options = parse_options(assignments, replacements);
    const ProblemHandle problem = make_validation({&rows, &rows, samples.features.size()});
    for (const std::int32_t domain : {DPA_SOURCE, DPA_TARGET}) weigh(problem, domain, rows);
    return {name, solve(problem, name, options.get())};
}

namespace {

void add_names(const std::vector<std::string> &names, Json &list) {
    for (Json &item : list) {
        const std::size_t solution = item["solution"];
        item.erase("solution");
        if (names.empty()) continue;
        item["model"] = names[solution];
        if (item.value("name", "").ends_with("_difference")) item["against"] = names.front();
    }
}

/** All of epsilon and delta is for Gaussian releases. */
const std::vector<std::string> kGaussian{"discrepancy_share=0", "laplace_epsilon=auto",
                                         "selection_epsilon=unset", "unit=auto"};

double left_of(const ProblemHandle &problem, const std::string &part) {
    return number_of(dpa_problem_budget, problem.get(), ("left_" + part).c_str());
}

}  // namespace

Json evaluation_report(const EvaluationRows &data, const LedgerHandle &ledger,
                       const std::vector<const dpa_solution *> &solutions,
                       const std::vector<std::string> &names, const Settings &settings) {
    const ProblemHandle problem = make_validation(data);
    weigh(problem, DPA_TARGET, *data.rows);
    use_ledger(problem, ledger);
    const EvaluationHandle evaluation = pay(problem, "the evaluation", [&] {
        return made<EvaluationHandle>(dpa_evaluate, problem.get(), solutions.data(),
                                      solutions.size(), settings.options());
    });
    Json report = json_by(dpa_evaluation_report, evaluation);
    for (const char *list : {"measures", "calibration", "notes"})
        if (report.contains(list)) add_names(names, report[list]);
    report["privacy"] = Json::parse(privacy_report(problem.get(), settings).json);
    return report;
}

Json evaluation_report(const EvaluationRows &data, const LedgerHandle &ledger,
                       const std::vector<Candidate> &candidates, const Settings &settings) {
    std::vector<const dpa_solution *> solutions;
    std::vector<std::string> names;
    for (const auto &[name, solution] : candidates) {
        names.push_back(name);
        solutions.push_back(solution.get());
    }
    return evaluation_report(data, ledger, solutions, names, settings);
}

EvaluationRows unseen_rows(const Samples &samples, const Sample &rows) {
    return {&rows, samples.source.is_private ? nullptr : &samples.source, samples.features.size()};
}

void check_fit_and_evaluation(Call &call, const Samples &samples) {
    constexpr double kRounding = 1.0 + 1e-9;  // the library, which pays, counts in integers
    if (!call.ledger || !call.settings.is_private("target")) return;
    if (Job::running() != nullptr && Job::running()->has_paid()) return;
    const ProblemHandle problem = make_problem(samples);
    check(dpa_problem_use_ledger(problem.get(), call.ledger.get()));  // for numbers, of no job
    const PlanHandle plan = make_plan(problem, {}, call.settings.options());
    call.settings.progress().finish();
    const OptionsHandle budget = parse_options(call.arguments.assignments, kGaussian);
    const auto evaluation = made<ProblemHandle>(dpa_problem_create);
    check(dpa_problem_set_budget(evaluation.get(), budget.get()));
    std::string needed;
    bool is_enough = true;
    for (const std::string part : {"pure_epsilon", "laplace_epsilon", "mu"}) {
        const double left = kRounding * left_of(problem, part);
        const double more = left_of(evaluation, part);
        const double price = number_of(dpa_plan_value, plan.get(), part.c_str());
        if (price > left) return;  // the library tells it better, before the fit is paid
        const double both = part == "mu" ? std::hypot(price, more) : price + more;
        is_enough = is_enough && both <= left;
        needed = to_text(both);
    }
    if (is_enough) return;
    throw Failure(kNoBudget,
                  "the fit and the evaluation together: the ledger has too little left for both, "
                  "each of which costs epsilon and delta (left is mu = " +
                      to_text(left_of(problem, "mu")) + ", needed is mu = " + needed +
                      "); nothing was paid");
}

void pay_evaluation(DryRun &dry, const EvaluationRows &data, const Candidate &solution,
                    const Settings &settings) {
    const ProblemHandle problem = make_validation(data);
    const dpa_solution *one = solution.solution.get();
    dry.pay(problem, "the evaluation", kGaussian, [&] {
        (void)made<EvaluationHandle>(dpa_evaluate, problem.get(), &one, std::size_t{1},
                                     settings.options());
    });
}

void tell_unweighed(const DataArguments &arguments, const Sample &rows, Json &report) {
    if (arguments.weights.empty() || (!rows.is_private && !rows.weights.empty())) return;
    report["notes"].push_back(
        Json{{"note", "Errors count every row alike: the weights of --weight are for the fit."}});
}

namespace {

/** The rows to judge by are its target. */
struct EvaluateArguments : CallArguments {
    std::vector<std::string> models;
};

/** Whether every label is the same number for both. */
bool same_labels(const schema::Labels &a, const schema::Labels &b) {
    for (const schema::Labels *labels : {&a, &b}) {
        for (const std::string &name : labels->names()) {
            const schema::Cell cell = schema::read_cell(name, {});
            if (a.encode(cell) != b.encode(cell)) return false;
        }
    }
    return true;
}

/** Empties the medians, by which missing cells are filled. */
Json without_medians(Json columns) {
    for (Json &column : columns)
        if (column.contains("median")) column["median"] = nullptr;
    return columns;
}

/** Why rows of a table are not the same records for both; empty if they are. */
std::string difference(const schema::Schema &a, const schema::Schema &b) {
    const Json first = schema_json(a);
    const Json second = schema_json(b);
    if (without_medians(first["columns"]) != without_medians(second["columns"]) ||
        first["missing"] != second["missing"] || !same_labels(a.labels, b.labels))
        return "has other features, or another coding of columns and labels, than ";
    for (std::size_t k = 0; k < first["columns"].size(); ++k) {
        const Json &column = first["columns"][k];
        if (column != second["columns"][k])
            return "fills missing cells of \"" + shown(column["name"]) +
                   "\" with another value (a median of the public rows that it was made from: "
                   "models that are compared must learn their columns from one --source) than ";
    }
    return {};
}

std::vector<Model> read_models(const std::vector<std::string> &paths) {
    std::vector<Model> models;
    for (const std::string &path : paths) {
        models.push_back(read_model(path));
        const std::string why = difference(models.back().schema, models.front().schema);
        if (!why.empty()) throw Failure(kBadData, path + ": the model " + why + paths.front());
        if (models.back().scores != models.front().scores)
            throw Failure(kBadData,
                          path + ": the model corrects other scores than " + paths.front());
    }
    return models;
}

/** What a call about saved predictors and rows that they have not seen reads, before it pays. */
struct Unseen {
    explicit Unseen(const EvaluateArguments &arguments)
        : settings(arguments.assignments),
          ledger(open_ledger(arguments.ledger, settings)),
          is_private(settings.is_private("target")) {
        const DataArguments &given = arguments.data;
        if (arguments.dry_run) check_dry_run(is_private);
        settings.check_read(arguments.assignments, "evaluations");
        if (!given.source.empty() && settings.is_private("source"))
            throw Failure(
                kUsage, "--source is for public rows, but private_domain makes the source private");
        if (is_private && !given.weights.empty())
            throw Failure(kUsage,
                          "--weight is for public rows (--set private_domain=none): private "
                          "ones count alike");
        if (is_private) check_apart({"--data", given.target}, {{"--source", given.source}});
        if (!given.group.empty() && !given.rows.empty())
            throw Failure(kUsage,
                          "--rows is refused with --group, which leaves their number private");
        const std::size_t count = fixed_rows(given.rows, false, is_private).target;
        models = read_models(arguments.models);
        if (!given.event.empty() && text(models.front().solution.get(), "loss") != "survival")
            throw Failure(kUsage, "--event is for models fitted with loss=survival");
        const schema::Schema &schema = models.front().schema;
        ColumnUses columns{given.label, given.event, models.front().scores, given.weights,
                           given.group};
        if (columns.label.empty()) columns.label = models.front().label;
        if (columns.event.empty()) columns.event = models.front().event;
        rows = read_sample(given.target, schema, columns, is_private, count);
        if (!given.weights.empty() && rows.weights.empty())
            throw Failure(kBadData, given.target + ": there is no column \"" + given.weights + '"');
        if (!given.source.empty()) source = read_sample(given.source, schema, columns, false, 0);
    }
    [[nodiscard]] EvaluationRows data() const {
        return {&rows, source ? &*source : nullptr, models.front().schema.features().size()};
    }

    Settings settings;
    LedgerHandle ledger;
    bool is_private;
    std::vector<Model> models;
    Sample rows;
    std::optional<Sample> source;
};

void evaluate(const EvaluateArguments &arguments) {
    Unseen unseen(arguments);
    std::vector<Candidate> candidates;
    for (std::size_t k = 0; k < unseen.models.size(); ++k)
        candidates.push_back({arguments.models[k], std::move(unseen.models[k].solution)});
    if (arguments.dry_run) {
        DryRun dry("evaluate", arguments);
        pay_evaluation(dry, unseen.data(), candidates.front(), unseen.settings);
        return dry.tell();
    }
    Output printed;
    if (unseen.is_private) printed.reserve(room_for_evaluation(unseen.models.size()));
    Json report = evaluation_report(unseen.data(), unseen.ledger, candidates, unseen.settings);
    add_left(unseen.ledger, report);
    Result result{report.dump() + '\n', unseen.is_private};
    deliver(result, [&] {
        printed.write(arguments.json ? result.text
                                     : printable(evaluation_text(report) + left_text(report)));
    });
}

void calibrate(const EvaluateArguments &arguments) {
    constexpr std::size_t kTable = std::size_t{1} << 14;  // bytes that a calibration adds
    Unseen unseen(arguments);
    Model &model = unseen.models.front();
    Output file(arguments.output, unseen.is_private ? Readers::owner : Readers::by_umask);
    const ProblemHandle problem = make_validation(unseen.data());
    const auto make = [&] {
        return made<SolutionHandle>(dpa_solution_calibrate, model.solution.get(), problem.get(),
                                    unseen.settings.options());
    };
    if (arguments.dry_run) {
        DryRun dry("calibrate", arguments);
        dry.pay(problem, "the calibration", kGaussian, make);
        return dry.tell();
    }
    Output printed;
    if (unseen.is_private) {
        file.reserve(model_text(model).size() + kTable);
        printed.reserve(room_for_evaluation(1));
    }
    use_ledger(problem, unseen.ledger);
    model.solution = pay(problem, "the calibration", make);
    Result result{model_text(model), unseen.is_private};
    deliver(result, [&] {
        Json report{{"intervals", text(model.solution.get(), "calibration")},
                    {"privacy", Json::parse(privacy_report(problem.get(), unseen.settings).json)}};
        add_left(unseen.ledger, report);
        file.write(result.text);
        result.saved = true;
        printed.write(arguments.json
                          ? report.dump() + '\n'
                          : printable(shown(report["privacy"]["summary"]) + "\n\n" +
                                      shown(report["intervals"]) + '\n' + left_text(report)));
    });
}

void add_unseen_arguments(Command &command, EvaluateArguments &arguments) {
    add_text(command, "--data", arguments.data.target, "FILE.csv",
             "Labelled rows that no predictor was fitted on")
        ->required();
    add_text(command, "--label", arguments.data.label, "COLUMN",
             "Column of the labels (default: the model's)");
    add_text(command, "--source", arguments.data.source, "FILE.csv",
             "Private: public rows from which the size of errors is estimated");
    add_list(command, "--rows", arguments.data.rows, "N",
             "Private: number of records; missing ones have the largest error, surplus ones are "
             "left out");
    add_text(command, "--group", arguments.data.group, "COLUMN",
             "Column of the persons of private rows, who are protected and count once each; the "
             "first or the last column of the file");
    add_settings(command, arguments.assignments);
    add_ledger_arguments(command, arguments);
    add_json(command, arguments.json);
}

}  // namespace

void add_evaluate(Command &program) {
    const auto [command, arguments] = new_command(
        program, "evaluate",
        "Measures the error of saved predictors on labelled rows, with intervals", evaluate);
    add_repeated(command, "--model", arguments.models, "MODEL.json",
                 "Predictor saved by fit; of several, differences from the first one too")
        ->required();
    add_text(command, "--weight", arguments.data.weights, "COLUMN",
             "Public: weights of the rows, such as the ratio of another population's density to "
             "theirs");
    add_text(command, "--event", arguments.data.event, "COLUMN",
             "Of models fitted with loss=survival: whether the time ended in an event");
    add_unseen_arguments(command, arguments);
}

void add_calibrate(Command &program) {
    const auto [command, arguments] = new_command(
        program, "calibrate",
        "Adds intervals of single predictions to a saved predictor, by labelled rows", calibrate);
    add_repeated(command, "--model", arguments.models, "MODEL.json", "Predictor saved by fit")
        ->required()
        ->expected(1);
    add_unseen_arguments(command, arguments);
    add_text(command, "--output", arguments.output, "MODEL.json",
             "Saves the predictor with its intervals, for predict --interval")
        ->required();
}

}  // namespace dpadapt::cli
