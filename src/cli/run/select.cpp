#include <cmath>
#include <sstream>

#include "cli/read/failure.hpp"
#include "cli/run/assess.hpp"
#include "cli/run/call.hpp"
#include "cli/run/dry_run.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

std::string key_of(const std::string &axis) { return axis.substr(0, axis.find('=')); }

/** Null where it is not released, not finite, or where there is no fit. */
Json value(const dpa_search *search, const char *name, std::size_t candidate = 0) {
    double value = 0.0;
    const dpa_status status = dpa_search_value(search, name, candidate, &value);
    if (status == DPA_E_NOT_RELEASABLE) return nullptr;
    check(status);
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json candidate_report(const dpa_search *search, std::size_t candidate,
                      const std::vector<std::string> &grid) {
    Json settings = Json::object();
    for (const std::string &axis : grid)
        settings[key_of(axis)] =
            filled_text(dpa_search_setting, search, candidate, key_of(axis).c_str());
    dpa_status status = DPA_OK;
    const std::string reason = filled_text(dpa_search_reason, search, candidate, &status);
    return {{"settings", settings},
            {"status", dpa_status_string(status)},
            {"reason", reason},
            {"loss", value(search, "loss", candidate)}};
}

std::size_t count_of(const dpa_search *search) {
    return value(search, "candidates").get<std::size_t>();
}

SearchHandle make_search(const std::vector<std::string> &grid) {
    auto search = made<SearchHandle>(dpa_search_create);
    for (const std::string &axis : grid) {
        const std::string key = key_of(axis);
        if (key.empty() || key.size() == axis.size())
            throw Failure(kUsage, "--grid needs key=a,b,c, not \"" + axis + '"');
        check(dpa_search_add(search.get(), key.c_str(), axis.c_str() + key.size() + 1));
    }
    return search;
}

Json search_report(const dpa_search *search, const std::vector<std::string> &grid) {
    const auto chosen = value(search, "chosen").get<std::size_t>();
    Json candidates = Json::array();
    for (std::size_t k = 0; k < count_of(search); ++k)
        candidates.push_back(candidate_report(search, k, grid));
    const Json settings = candidates[chosen]["settings"];
    return {{"chosen", chosen}, {"settings", settings}, {"candidates", candidates}};
}

std::string search_text(const Json &report) {
    std::string text = "Candidates\n";
    std::size_t index = 0;
    for (const Json &candidate : report["candidates"]) {
        text += index++ == report["chosen"] ? "* " : "  ";
        for (const auto &[key, value] : candidate["settings"].items())
            text += key + '=' + shown(value) + "  ";
        if (candidate["loss"].is_number())
            text += "loss " + to_text(candidate["loss"].get<double>());
        else if (candidate["status"] == "DPA_OK")
            text += "loss not released";
        else
            text += shown(candidate["status"]) + ": " + shown(candidate["reason"]);
        text += '\n';
    }
    if (report.contains("notes"))
        for (const Json &note : report["notes"]) text += shown(note["note"]) + '\n';
    return text;
}

constexpr const char *kOneOfBoth =
    "\nEach record is either among the rows of the fit or among the validation rows, so it pays "
    "one of the two prices, not both.\n";

constexpr std::size_t kRoomForCandidate = 4096;  // its settings, status, reason and loss

struct SelectArguments : CallArguments {
    UnseenFile validation{"--validation"};
    double share = 2.0 / 9.0;  // the paper's 20 % beside 70 % for the fits
    std::vector<std::string> grid;
    std::uint64_t seed = 1;
    std::string method;
    std::vector<double> budget;
    std::string validation_report;
};

/** A choice releases no discrepancy, so its budget keeps nothing for one. */
const std::vector<std::string> kOfChoice{"discrepancy_share=0", "laplace_epsilon=auto"};

/** Fixes the budget of all fits together. */
void set_budget(dpa_problem *problem, const SelectArguments &arguments) {
    if (arguments.budget.empty()) return;
    const OptionsHandle options = parse_options(arguments.assignments);
    check(dpa_options_set(options.get(), "epsilon", arguments.budget[0]));
    check(dpa_options_set(options.get(), "delta", arguments.budget[1]));
    check(dpa_options_parse(options.get(), "selection_epsilon", "unset"));
    check(dpa_problem_set_budget(problem, options.get()));
}

SolutionHandle run_search(const SearchHandle &search, const ProblemHandle &problem,
                          const ProblemHandle &validation, const SelectArguments &arguments,
                          const Settings &settings) {
    const char *method = arguments.method.empty() ? nullptr : arguments.method.c_str();
    return pay(problem, "the search", [&] {
        return pay(validation, "the search", [&] {
            return made<SolutionHandle>(dpa_search_run, search.get(), problem.get(),
                                        validation.get(), method, settings.options());
        });
    });
}

/** The options of each candidate beside those of all, in the order of the search. */
std::vector<std::vector<std::string>> candidates_of(const std::vector<std::string> &grid) {
    std::vector<std::vector<std::string>> points{{}};
    for (const std::string &axis : grid) {
        std::vector<std::vector<std::string>> more;
        std::istringstream values(axis.substr(key_of(axis).size() + 1));
        for (std::string value; std::getline(values, value, ',');) {
            for (std::vector<std::string> point : points) {
                point.push_back(key_of(axis) + '=' + value);
                more.push_back(std::move(point));
            }
        }
        points = std::move(more);
    }
    return points;
}

/** What the fits of all candidates and the choice would pay. */
void dry_select(const Call &call, const SelectArguments &arguments, const SearchHandle &search,
                const Samples &samples, const Sample &rows) {
    const auto points = candidates_of(arguments.grid);
    std::vector<std::string> first = points.front();
    if (arguments.budget.size() == 2) {
        first.push_back("epsilon=" + to_text(arguments.budget[0]));
        first.push_back("delta=" + to_text(arguments.budget[1]));
    }
    first.emplace_back("selection_epsilon=unset");
    const ProblemHandle validation = make_validation({&rows, nullptr, samples.features.size()});
    const auto together = [&] {  // refused as the search is, all fits together
        DryRun all("select", arguments);
        const ProblemHandle problem = make_problem(samples);
        bool chooses = false;
        const LedgerHandle for_choice = all.refusing_ledger(kOfChoice, chooses);
        use_ledger(validation, for_choice);
        all.pay(problem, "the search", first, [&] {
            try {
                (void)run_search(search, problem, validation, arguments, call.settings);
            } catch (const Failure &) {
                if (!chooses) throw;  // of fits that pay nothing
            }
        });
    };
    // Without a budget of all fits each is refused for itself first.
    if (!arguments.ledger.empty()) together();
    DryRun dry("select", arguments);
    for (std::size_t k = 0; k < points.size(); ++k) {
        const OptionsHandle options = parse_options(arguments.assignments, points[k]);
        const ProblemHandle own = make_problem(samples);
        set_budget(own.get(), arguments);
        dry.pay_fit(own, "the fit of candidate " + std::to_string(k), arguments.method,
                    options.get());
    }
    if (arguments.ledger.empty()) together();
    const Candidate fitted = public_only(samples, arguments.assignments);
    const dpa_solution *one = fitted.solution.get();
    const ProblemHandle choice = make_validation({&rows, nullptr, samples.features.size()});
    if (rows.is_private)
        dry.pay(choice, "the choice", kOfChoice, [&] {
            (void)number_of<std::size_t>(dpa_select, choice.get(), &one, std::size_t{1},
                                         call.settings.options());
        });
    dry.tell({{"--validation-report", arguments.validation_report}});
}

void select(const SelectArguments &arguments) {
    const NamedFile file{"--validation", arguments.validation.path};
    arguments.validation.check({{"--target", arguments.data.target}});
    Call call(arguments);
    Settings &settings = call.settings;
    if (settings.is_private("source") != settings.is_private("target"))
        check_apart(file, {{"--source", arguments.data.source}});
    const SearchHandle search = make_search(arguments.grid);
    ReportFile validation_file(arguments.validation_report);
    Samples samples = read_samples(arguments.data, settings, arguments.method);
    const Sample rows = file.path.empty() ? divide(samples.target, arguments.share, arguments.seed)
                                          : arguments.validation.read(call, samples);
    if (arguments.dry_run) return dry_select(call, arguments, search, samples, rows);
    const ProblemHandle problem = call.problem(samples);
    const ProblemHandle validation = make_validation({&rows, nullptr, samples.features.size()});
    weigh(validation, DPA_TARGET, rows);
    use_ledger(validation, call.ledger);
    set_budget(problem.get(), arguments);
    const std::size_t room = room_for_result(samples, settings, false);
    call.reserve(samples, false, room + count_of(search.get()) * kRoomForCandidate);
    if (settings.is_private()) validation_file.reserve(room);
    const Model model =
        call.model(samples, run_search(search, problem, validation, arguments, settings));
    call.deliver(model, [&](Json &fit) {
        const PrivacyReport of_validation = privacy_report(validation.get(), settings);
        validation_file.write(of_validation);
        Json report = search_report(search.get(), arguments.grid);
        tell_unweighed(arguments.data, rows, report);
        if (rows.groups.empty()) report["validation_rows"] = rows.y.size();
        report["fit"] = fit;
        report["selection_privacy"] = Json::parse(of_validation.json);
        // Rows that the command has divided: no record is in both parts.
        const bool is_divided = file.path.empty() && samples.target.is_private;
        return call.shown(
            report, search_text(report) + "\nThe fit: " + solution_text(fit, samples.schema) +
                        "\nThe validation rows: " + shown(report["selection_privacy"]["summary"]) +
                        '\n' + (is_divided ? kOneOfBoth : ""));
    });
}

}  // namespace

void add_select(Command &program) {
    const auto [command, arguments] = new_command(
        program, "select",
        "Fits with several options and keeps the one that does best on validation rows", select);
    add_data_arguments(command, arguments);
    Argument *file =
        arguments.validation.add(command, "Labelled target rows that decide; no fit uses them");
    command
        .add_option("--validation-share", arguments.share,
                    "Without such a file: share of the target's rows that is kept to decide")
        ->excludes(file)
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    add_repeated(command, "--grid", arguments.grid, "KEY=A,B,C",
                 "Values of an option, separated by commas; may be repeated, then all "
                 "combinations are tried");
    command.add_option("--seed", arguments.seed, "Seed of the division of rows")
        ->capture_default_str();
    command.add_option("--method", arguments.method, "A baseline instead of the adaptation");
    Argument *ledger = add_ledger_arguments(command, arguments);
    command
        .add_option("--budget", arguments.budget,
                    "Private: epsilon and delta of all fits together; each single fit costs the "
                    "options epsilon and delta")
        ->delimiter(',')
        ->expected(2)
        ->excludes(ledger)
        ->type_name("EPSILON,DELTA");
    add_output_arguments(command, arguments);
    add_text(command, "--validation-report", arguments.validation_report, "FILE",
             "Saves the privacy report of the validation rows");
}

}  // namespace dpadapt::cli
