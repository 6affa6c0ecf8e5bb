#include <cmath>
#include <memory>
#include <optional>

#include "cli/read/arguments.hpp"
#include "cli/read/failure.hpp"
#include "cli/read/model_file.hpp"
#include "cli/read/sample.hpp"
#include "cli/read/samples.hpp"
#include "cli/read/settings.hpp"
#include "cli/run/arguments.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/fits.hpp"
#include "cli/show/evaluation.hpp"
#include "cli/show/output.hpp"
#include "cli/show/privacy_report.hpp"
#include "cli/show/report.hpp"
#include "cli/show/report_file.hpp"

namespace dpadapt::cli {

namespace {

std::string key_of(const std::string &axis) { return axis.substr(0, axis.find('=')); }

std::string setting(const dpa_search *search, std::size_t candidate, const std::string &key) {
    return filled_text([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_search_setting(search, candidate, key.c_str(), out, size, needed);
    });
}

std::string reason(const dpa_search *search, std::size_t candidate) {
    return filled_text([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_search_reason(search, candidate, out, size, needed);
    });
}

/** Null where it is not released, not finite, or where there is no fit. */
Json loss(const dpa_search *search, std::size_t candidate) {
    double value = 0.0;
    const dpa_status status = dpa_search_loss(search, candidate, &value);
    if (status == DPA_E_NOT_RELEASABLE) return nullptr;
    check(status);
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json candidate_report(const dpa_search *search, std::size_t candidate,
                      const std::vector<std::string> &grid) {
    Json settings = Json::object();
    for (const std::string &axis : grid)
        settings[key_of(axis)] = setting(search, candidate, key_of(axis));
    dpa_status status = DPA_OK;
    check(dpa_search_status(search, candidate, &status));
    return {{"settings", settings},
            {"status", dpa_status_string(status)},
            {"reason", reason(search, candidate)},
            {"loss", loss(search, candidate)}};
}

}  // namespace

SearchHandle make_search(const std::vector<std::string> &grid, std::uint64_t draw,
                         std::uint64_t seed) {
    dpa_search *search = nullptr;
    check(dpa_search_create(&search));
    SearchHandle handle(search);
    for (const std::string &axis : grid) {
        const std::string key = key_of(axis);
        if (key.empty() || key.size() == axis.size())
            throw Failure(kUsage, "--grid needs key=a,b,c, not \"" + axis + '"');
        check(dpa_search_add(search, key.c_str(), axis.c_str() + key.size() + 1));
    }
    std::uint64_t count = 0;
    check(dpa_search_count(search, &count));
    if (draw > count)
        throw Failure(
            kUsage, "--draw is more than the " + std::to_string(count) + " combinations of --grid");
    check(dpa_search_draw(search, draw, seed));
    return handle;
}

Json search_report(const dpa_search *search, const std::vector<std::string> &grid) {
    std::uint64_t count = 0;
    std::size_t chosen = 0;
    check(dpa_search_count(search, &count));
    check(dpa_search_chosen(search, &chosen));
    Json candidates = Json::array();
    for (std::size_t k = 0; k < count; ++k) candidates.push_back(candidate_report(search, k, grid));
    const Json settings = candidates[chosen]["settings"];
    return {{"chosen", chosen}, {"settings", settings}, {"candidates", candidates}};
}

std::string search_text(const Json &report) {
    std::string text = "Candidates\n";
    std::size_t index = 0;
    for (const Json &candidate : report["candidates"]) {
        text += index++ == report["chosen"] ? "* " : "  ";
        for (const auto &[key, value] : candidate["settings"].items())
            text += key + '=' + value.get<std::string>() + "  ";
        if (candidate["loss"].is_number())
            text += "loss " + to_text(candidate["loss"].get<double>());
        else if (candidate["status"] == "DPA_OK")
            text += "loss not released";
        else
            text += candidate["status"].get<std::string>() + ": " +
                    candidate["reason"].get<std::string>();
        text += '\n';
    }
    if (report.contains("notes"))
        for (const Json &note : report["notes"]) text += note["note"].get<std::string>() + '\n';
    return text;
}

namespace {

constexpr const char *kOneOfBoth =
    "\nEach record is either among the rows of the fit or among the validation rows, so it pays "
    "one "
    "of the two prices, not both.\n";

constexpr std::size_t kRoomForCandidate = 4096;  // its settings, status, reason and loss

struct SelectArguments {
    DataArguments data;
    std::vector<std::string> assignments;
    std::string ledger;
    std::string validation;
    std::vector<std::string> validation_rows;
    double share = 2.0 / 9.0;  // the paper's 20 % beside 70 % for the fits
    std::vector<std::string> grid;
    std::uint64_t draw = 0;
    std::uint64_t seed = 1;
    std::string method;
    std::vector<double> budget;
    std::string output;
    ReportArguments report;
    std::string validation_report;
    bool json = false;
};

/** Fixes the budget of all fits together. */
void set_budget(dpa_problem *problem, const SelectArguments &arguments) {
    if (arguments.budget.empty()) return;
    const OptionsHandle options = parse_options(arguments.assignments);
    check(dpa_options_set_double(options.get(), "epsilon", arguments.budget[0]));
    check(dpa_options_set_double(options.get(), "delta", arguments.budget[1]));
    check(dpa_options_set_string(options.get(), "selection_epsilon", "unset"));
    check(dpa_problem_set_budget(problem, options.get()));
}

/** Says --budget where the library names its function. */
void check_search(dpa_status status) {
    if (status != DPA_E_BUDGET) return check(status);
    std::string text = dpa_last_error();
    const std::string name = "dpa_problem_set_budget";
    const std::size_t at = text.rfind(name);
    if (at != std::string::npos) text.replace(at, name.size(), "--budget EPSILON,DELTA");
    throw Failure(kUsage, text);
}

void select(const SelectArguments &arguments) {
    check_arguments(arguments.data);
    if (is_same_input(arguments.validation, arguments.data.target))
        throw Failure(kUsage,
                      "--validation must not be the file of --target: rows that a fit has "
                      "seen cannot judge it");
    std::vector<NamedFile> inputs =
        input_files(arguments.data, arguments.ledger, arguments.report.key);
    inputs.push_back({"--validation", arguments.validation});
    check_outputs({{"--output", arguments.output},
                   {"--report", arguments.report.path},
                   {"--validation-report", arguments.validation_report}},
                  inputs);
    Settings settings(arguments.assignments);
    if (settings.is_private("source") != settings.is_private("target"))
        check_apart({"--validation", arguments.validation}, {{"--source", arguments.data.source}});
    const LedgerHandle ledger = open_ledger(arguments.ledger, settings);
    const SearchHandle search = make_search(arguments.grid, arguments.draw, arguments.seed);
    std::optional<Output> model_file;
    ReportFile report_file(arguments.report.path, arguments.report.key);
    ReportFile validation_file(arguments.validation_report, arguments.report.key);
    if (!arguments.output.empty()) model_file.emplace(arguments.output, settings.readers());

    const std::size_t count = fixed_number_of_rows("--validation-rows", arguments.validation_rows,
                                                   settings.is_private("target"));
    Samples samples = read_samples(arguments.data, settings, arguments.method);
    const Sample rows = arguments.validation.empty()
                            ? divide(samples.target, arguments.share, arguments.seed)
                            : read_sample(arguments.validation, samples.schema,
                                          arguments.data.label, arguments.data.scores,
                                          samples.target.is_private, count, arguments.data.group);
    const ProblemHandle problem = make_problem(samples);
    const ProblemHandle validation = make_validation(rows, samples.features.size());
    use_ledger(problem, ledger);
    use_ledger(validation, ledger);
    set_budget(problem.get(), arguments);
    Output printed;
    if (settings.is_private()) {
        if (model_file) model_file->reserve(room_for_model(samples, settings, false));
        const std::size_t room = room_for_report(samples, settings, false);
        report_file.reserve(room);
        validation_file.reserve(room);
        std::uint64_t candidates = 0;
        check(dpa_search_count(search.get(), &candidates));
        printed.reserve(2 * room + candidates * kRoomForCandidate);
    }
    dpa_solution *solution = nullptr;
    pay(problem, "the search", [&] {
        pay(validation, "the search", [&] {
            check_search(
                dpa_search_run(search.get(), problem.get(), validation.get(),
                               arguments.method.empty() ? nullptr : arguments.method.c_str(),
                               settings.options(), &solution));
        });
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
        Json report = search_report(search.get(), arguments.grid);
        tell_unweighed(arguments.data, report);
        if (rows.groups.empty()) report["validation_rows"] = rows.y.size();
        report["fit"] = solution_report(solution, samples.schema);
        report_file.write([&](int32_t form) { return report_text(report["fit"], solution, form); });
        validation_file.write(
            [&](int32_t form) { return privacy_report(validation.get(), settings, form); });
        report["selection_privacy"] =
            Json::parse(privacy_report(validation.get(), settings, DPA_REPORT_JSON));
        // Rows that the command has divided: no record is in both parts.
        const bool is_divided = arguments.validation.empty() && samples.target.is_private;
        printed.write(arguments.json
                          ? report.dump() + '\n'
                          : printable(search_text(report) + "\nThe fit: " +
                                      solution_text(report["fit"]) + "\nThe validation rows: " +
                                      report["selection_privacy"]["summary"].get<std::string>() +
                                      '\n' + (is_divided ? kOneOfBoth : "")));
    });
}

void add_search_arguments(Command &command, SelectArguments &arguments) {
    const auto file = command
                          .add("--validation", arguments.validation,
                               "Labelled target rows that decide; no fit uses them")
                          .placeholder("FILE.csv");
    command
        .add_list("--validation-rows", arguments.validation_rows,
                  "Number of private records of that file, like --rows")
        .needs(file)
        .placeholder("N");
    command
        .add("--validation-share", arguments.share,
             "Without such a file: share of the target's rows that is kept to decide")
        .excludes(file)
        .within(0.0, 1.0)
        .shows_default();
    command
        .add_repeated("--grid", arguments.grid,
                      "Values of an option, separated by commas; may be repeated, then all "
                      "combinations are tried")
        .placeholder("KEY=A,B,C");
    command.add("--draw", arguments.draw, "Tries only that many combinations, drawn at random");
    command.add("--seed", arguments.seed, "Seed of that draw and of the division of rows")
        .shows_default();
    command.add("--method", arguments.method, "A baseline instead of the adaptation");
    const auto ledger = add_ledger_argument(command, arguments.ledger);
    command
        .add_list("--budget", arguments.budget, 2,
                  "Private: epsilon and delta of all fits together; each single fit costs the "
                  "options epsilon and delta")
        .excludes(ledger)
        .placeholder("EPSILON,DELTA");
}

}  // namespace

void add_select(Command &program) {
    const auto arguments = std::make_shared<SelectArguments>();
    Command command = program.add_command(
        "select", "Fits with several options and keeps the one that does best on validation rows");
    add_data_arguments(command, arguments->data);
    add_settings(command, arguments->assignments);
    add_search_arguments(command, *arguments);
    command.add("--output", arguments->output, "Saves the predictor").placeholder("MODEL.json");
    add_report_arguments(command, arguments->report);
    command
        .add("--validation-report", arguments->validation_report,
             "Saves the privacy report of the validation rows")
        .placeholder("FILE");
    command.add_flag("--json", arguments->json, "Prints one JSON object");
    command.runs([arguments] { select(*arguments); });
}

}  // namespace dpadapt::cli
