#include "cli/run/call.hpp"

#include <algorithm>
#include <sstream>

#include "cli/read/failure.hpp"
#include "cli/read/problems.hpp"
#include "cli/read/schema.hpp"
#include "cli/run/dry_run.hpp"
#include "cli/run/job.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

void add_data_arguments(Command &command, CallArguments &arguments) {
    DataArguments &data = arguments.data;
    Argument *source = add_text(command, "--source", data.source, "FILE.csv", "Source sample");
    Argument *target = add_text(command, "--target", data.target, "FILE.csv", "Target sample");
    Argument *both = add_text(command, "--data", data.data, "FILE.csv", "Both samples in one file");
    source->excludes(both);
    target->excludes(both);
    add_repeated(command, "--add-source", data.more_sources, "FILE.csv",
                 "Another source, with the columns of the first one; may be repeated. A fit "
                 "without privacy takes those that help");
    add_text(command, "--label", data.label, "COLUMN", "Column of the labels")->required();
    add_text(command, "--event", data.event, "COLUMN",
             "For loss=survival: the label is a time, and this column says whether it ended in an "
             "event (1, yes) or not (0, no)");
    add_text(command, "--scores", data.scores, "COLUMN",
             "Column with the scores of an existing model, in units of the labels: the fit and its "
             "predictions correct them");
    add_text(command, "--weight", data.weights, "COLUMN",
             "Column with the weights of rows: one of weight 2 counts like two. Rows of a file "
             "without it count alike; private ones need --set row_weight_bound=W, a clip");
    add_text(command, "--domain", data.domain, "COLUMN[=SOURCE,TARGET]",
             "Column with the words source and target, or SOURCE and TARGET, for --data")
        ->capture_default_str();
    add_list(command, "--features", data.features, "A,B,C",
             "Columns to use as features, in this order (default: all others)");
    add_list(command, "--ignore", data.ignored, "A,B,C",
             "Columns to leave out; \"A, B\" is one name");
    add_repeated(command, "--compute", data.computed, "NAME=EXPRESSION",
                 "Feature computed from columns, like \"bmi = weight / height^2\", beside those "
                 "of the columns; may be repeated");
    add_text(command, "--source-map", data.source_map, "FILE.csv",
             "Map from source to target columns: one row per target column with its name, public "
             "factors per source column, and (constant); blanks are 0");
    add_repeated(command, "--own", data.own, "COLUMN=VALUE",
                 "Column of numbers that the source lacks, with a typical value, which source rows "
                 "and missing cells get; may be repeated");
    add_text(
        command, "--group", data.group, "COLUMN",
        "Column with the person of each target row: protects persons, not records; must be the "
        "first or last column of the file");
    add_list(command, "--categories", data.categories, "A,B,C",
             "Columns of numbers that are categories (columns of texts are)");
    add_repeated(command, "--missing", data.missing, "WORD",
                 "A word for a missing value, beside blanks, NA and the like; may be repeated");
    add_text(command, "--positive", data.positive, "VALUE",
             "Of two classes, the label that probabilities and coefficients refer to");
    add_list(command, "--rows", data.rows, "N",
             "Number of private records: the file is padded with null records, or cut; two "
             "numbers, source and target, when both are private");
    add_settings(command, arguments.assignments);
    add_assignment(command, "--loss", arguments.assignments, "NAME",
                   "Same as --set loss=NAME: logistic for two classes");
    add_assignment(command, "--alpha", arguments.assignments, "NUMBER",
                   "Same as --set alpha=NUMBER: share of the source");
    add_json(command, arguments.json);
}

void add_settings(Command &command, std::vector<std::string> &assignments) {
    add_repeated(command, "--set", assignments, "KEY=VALUE",
                 "Sets an option; may be repeated (see: dpadapt options)");
    add_assignment(command, "--epsilon", assignments, "NUMBER",
                   "Same as --set epsilon=NUMBER: the privacy budget");
    add_assignment(command, "--delta", assignments, "NUMBER",
                   "Same as --set delta=NUMBER: below 1 / (number of private rows)");
}

Argument *add_ledger_arguments(Command &command, CallArguments &arguments) {
    Argument *ledger = add_text(command, "--ledger", arguments.ledger, "FILE",
                                "Private: pays from the budget in that file (see dpadapt ledger)");
    Argument *job =
        command
            .add_option("--job", "Pays once under this name: later calls return the first result")
            ->needs(ledger)
            ->type_name("NAME")
            ->expected(1);
    command
        .add_flag("--dry-run", arguments.dry_run,
                  "Private: tells what would be paid and written, and ends before that")
        ->excludes(job);
    return ledger;
}

void add_report_argument(Command &command, CallArguments &arguments) {
    add_text(command, "--report", arguments.report, "FILE",
             "Saves the privacy report: as JSON (.json), with pictures (.html), or as text");
}

Argument *add_output_arguments(Command &command, CallArguments &arguments) {
    add_report_argument(command, arguments);
    return add_text(command, "--output", arguments.output, "MODEL.json", "Saves the predictor");
}

Call::Call(const CallArguments &given)
    : arguments((check_arguments(given.data), given)),
      settings(given.assignments),
      ledger(open_ledger(given.ledger, settings)),
      report_file(given.report) {
    if (given.dry_run) check_dry_run(settings.is_private());
    const Readers readers = settings.is_private() ? Readers::owner : Readers::by_umask;
    if (!arguments.output.empty()) model_file.emplace(arguments.output, readers);
}

void Call::reserve(const Samples &samples, bool has_weights, std::size_t more) {
    if (!settings.is_private()) return;
    const std::size_t room = room_for_result(samples, settings, has_weights);
    if (model_file) model_file->reserve(room);
    report_file.reserve(room);
    printed.reserve(room + more);
}

ProblemHandle Call::problem(const Samples &samples) const {
    ProblemHandle made = make_problem(samples);
    use_ledger(made, ledger);
    return made;
}

Model Call::model(const Samples &samples, SolutionHandle solution) const {
    const DataArguments &data = arguments.data;
    return {{samples.schema, data.label, data.scores, data.event}, std::move(solution)};
}

void Call::deliver(const Model &made, const Print &print, const Page &page) {
    settings.progress().finish();
    Result result{model_text(made), settings.is_private()};
    cli::deliver(result, [&] {
        const dpa_solution *solution = made.solution.get();
        Json report = solution_report(solution, made.schema);
        const PageContent content =
            page ? page(report, result.text) : PageContent{report["notes"], {}, {}};
        if (model_file) {
            model_file->write(result.text);
            result.saved = true;
        }
        report_file.write(privacy_report(solution), content);
        printed.write(print(report));
    });
}

std::string Call::shown(const Json &json, const std::string &text) const {
    Json all = json;
    add_left(ledger, all);
    return arguments.json ? all.dump() + '\n' : printable(text + left_text(all));
}

Argument *UnseenFile::add(Command &command, const char *meaning) {
    Argument *file = add_text(command, flag, path, "FILE.csv", meaning);
    add_list(command, rows_flag().c_str(), rows, "N",
             "Number of private records of that file, like --rows")
        ->needs(file);
    return file;
}

void UnseenFile::check(const std::vector<NamedFile> &seen) const {
    for (const NamedFile &file : seen)
        if (is_same_input(path, file.path))
            throw Failure(kUsage, std::string(flag) + " must not be the file of " + file.flag +
                                      ": rows that a fit has seen cannot judge it");
}

Sample UnseenFile::read(const Call &call, const Samples &samples) const {
    const bool is_private = samples.target.is_private;
    return read_sample(path, samples.schema, call.arguments.data, is_private,
                       fixed_rows(rows, false, is_private, rows_flag()).target);
}

namespace {

constexpr std::size_t kFixed = std::size_t{1} << 18U;  // releases, curves and sentences
constexpr std::size_t kNumber = 40;                    // with separators and the blanks of lists

/** Parameters of a perceptron's layers; 0 for other losses. */
std::size_t hidden_parameters(std::size_t inputs, std::size_t outputs, const Settings &settings) {
    if (settings.get("loss") != "perceptron") return 0;
    std::string text = settings.get("hidden_units");
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream units(text);
    std::size_t count = 0;
    for (std::size_t layer = 0; units >> layer; inputs = layer + 1) count += inputs * layer;
    return count + inputs * outputs;
}

bool has_paid(const ProblemHandle &problem) {
    for (const char *part : {"spent_mu", "spent_laplace_epsilon", "spent_pure_epsilon"})
        if (number_of(dpa_problem_budget, problem.get(), part) > 0.0) return true;
    return false;
}

}  // namespace

std::size_t room_for_result(const Samples &samples, const Settings &settings, bool has_weights) {
    const std::string classes = settings.get("classes");
    const std::size_t outputs =
        std::max({std::size_t{1}, samples.schema.labels.names().size(),
                  std::size_t{classes == "auto" ? 0 : std::stoull(classes)}});
    const std::size_t features = samples.features.size() + 1;
    const bool has_matrix =
        settings.get("preprocess") == "whiten" || settings.get("inference") == "yes";
    const std::size_t rows =
        std::max(samples.source.y.size(), samples.source_elsewhere) + samples.target.y.size();
    std::size_t names = schema_json(samples.schema).dump(2).size();
    for (const std::string &name : samples.features) names += 6 * name.size();
    const std::size_t numbers = features * (8 * outputs + 16) +
                                hidden_parameters(features, outputs, settings) +
                                (has_matrix ? features * features : 0) + (has_weights ? rows : 0);
    return kFixed + 4 * names + numbers * kNumber;
}

std::size_t room_for_evaluation(std::size_t models) { return kFixed * (1 + models); }

LedgerHandle open_ledger(const std::string &path, const Settings &settings) {
    if (path.empty()) return {};
    if (!settings.is_private())
        throw Failure(kUsage, "--ledger is for private records, but private_domain is none");
    return open_ledger_file(path);
}

void use_ledger(const ProblemHandle &problem, const LedgerHandle &ledger) {
    if (!ledger) return;
    if (Job *job = Job::running()) return job->use(problem, ledger);
    check(dpa_problem_use_ledger(problem.get(), ledger.get()));
}

void tell_payment(const ProblemHandle &problem, const std::string &what, const Failure &failure) {
    if (failure.code() != kInterrupted || !has_paid(problem) || Job::running()) throw;
    throw Failure(kInterrupted, "interrupted; " + what + " is paid for and gives no result");
}

PlanHandle make_plan(const ProblemHandle &problem, const std::string &baseline,
                     const dpa_options *options) {
    dpa_plan *plan = nullptr;
    check(baseline.empty() ? dpa_plan_for_problem(problem.get(), options, &plan)
                           : dpa_baseline_plan(problem.get(), baseline.c_str(), options, &plan));
    return PlanHandle(plan);
}

SolutionHandle solve(const ProblemHandle &problem, const std::string &baseline,
                     const dpa_options *options, const std::function<void()> &after) {
    return pay(problem, "the fit", [&] {
        dpa_solution *solution = nullptr;
        const dpa_status status =
            baseline.empty()
                ? dpa_solve(problem.get(), nullptr, options, &solution)
                : dpa_baseline_solve(problem.get(), baseline.c_str(), options, &solution);
        if (after) after();
        check(status);
        return SolutionHandle(solution);
    });
}

}  // namespace dpadapt::cli
