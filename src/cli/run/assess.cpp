#include "cli/run/assess.hpp"

#include "cli/read/failure.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

void forecast(const CallArguments &arguments, std::size_t target_rows) {
    const DataArguments &data = arguments.data;
    if (data.source.empty() || target_rows == 0)
        throw Failure(kUsage, "a forecast needs --source and --target-rows");
    check_columns(data);
    Settings settings(arguments.assignments);
    const Samples samples = read_source(data, settings);
    const ProblemHandle problem = make_source_problem(samples);
    const auto plan =
        made<PlanHandle>(dpa_plan_forecast, problem.get(), target_rows, settings.options());
    settings.progress().finish();
    const Json report = forecast_report(json_by(dpa_plan_report, plan));
    Output().write(arguments.json ? report.dump() + '\n' : printable(forecast_text(report)));
}

namespace {

constexpr const char *kCompareFooter =
    "With private rows the compared fit and the noisy errors each pay epsilon and\n"
    "delta, on different rows, so every record pays once. A fit to the private rows\n"
    "without noise cannot be shown, so adapted is compared with the public sample alone.\n"
    "With --test a record (with --group a person) in one of the files pays once. One in\n"
    "both files pays twice, and files are not searched for such cases.\n";
constexpr const char *kRehearseFooter =
    "Public rows stand for the private target: nothing private is read, and no budget\n"
    "is spent. With --source alone they are drawn at random, or are the rows whose\n"
    "column COLUMN has the value VALUE (--by COLUMN=VALUE). With private_domain=none\n"
    "they are all rows of --target, or of the target in --data. A third of them is kept\n"
    "for the errors. The table shows the errors of fits to the others, to fewer of\n"
    "them, and at several epsilons.\n";
constexpr const char *kPriceOfPersons =
    "The privacy above is that of persons in one file, of --target or of --test: who is in both "
    "pays both prices.";

/** Of a private target the public sample's fit and the private one; else what there is to compare
 *  with, too. */
std::vector<Candidate> candidates_of(const Call &call, const Samples &samples) {
    std::vector<Candidate> list;
    if (call.settings.is_private()) {
        list.push_back(public_only(samples, call.arguments.assignments));
    } else {
        const OptionsHandle open = parse_options(call.arguments.assignments, without_privacy());
        for (const char *name : {"source_only", "target_only", "pooled"})
            list.push_back({name, solve(make_problem(samples), name, open.get())});
    }
    list.push_back({"adapted", solve(call.problem(samples), {}, call.settings.options())});
    return list;
}

std::string comparison_text(const Json &report) {
    std::string text = notes_text(report) + shown(report["privacy"]["summary"]) + "\n\n" +
                       shown(report["sentence"]) + "\n\nErrors on " + counted(report) +
                       " of the target that no fit has seen, with intervals of level " +
                       report["measures"][0]["level"].dump() + "\n\n" +
                       contest_table(report["measures"]) + '\n';
    for (const Json &verdict : report["verdicts"]) text += shown(verdict) + '\n';
    if (report.contains("price")) text += '\n' + shown(report["price"]) + '\n';
    return text;
}

void check_comparison(const AssessArguments &arguments, const Settings &settings) {
    const DataArguments &data = arguments.data;
    if (settings.is_private("source") && settings.is_private("target"))
        throw Failure(kUsage, "a comparison needs a public sample: private_domain is both");
    if (!data.group.empty() && arguments.test.path.empty())
        throw Failure(kUsage,
                      "--group needs --test FILE.csv with rows of other persons: a person would "
                      "be in both parts of a divided file");
    if (!data.group.empty() && !arguments.test.rows.empty())
        throw Failure(kUsage,
                      "--test-rows is refused with --group, which leaves their number private");
    std::vector<NamedFile> seen{{"--source", data.source},
                                {"--source-map", data.source_map},
                                {"--target", data.target},
                                {"--data", data.data}};
    for (const std::string &path : data.more_sources) seen.push_back({"--add-source", path});
    arguments.test.check(seen);
}

/** What the same calls would pay. */
void dry_comparison(const Call &call, const Samples &samples, const Sample &rows) {
    const CallArguments &arguments = call.arguments;
    DryRun dry("compare", arguments);
    dry.pay_fit(make_problem(samples), "the fit", {}, call.settings.options());
    if (rows.is_private)
        pay_evaluation(dry, unseen_rows(samples, rows), public_only(samples, arguments.assignments),
                       call.settings);
    dry.tell();
}

/** The errors of fits, measured on rows of the target that they have not seen. */
void compare(const AssessArguments &arguments) {
    Call call(arguments);
    check_comparison(arguments, call.settings);
    Samples samples = read_samples(arguments.data, call.settings);
    const Sample rows = arguments.test.path.empty() ? hold_out(samples.target, arguments.holdout)
                                                    : arguments.test.read(call, samples);
    check_fit_and_evaluation(call, samples);
    if (arguments.dry_run) return dry_comparison(call, samples, rows);
    if (call.settings.is_private()) call.printed.reserve(room_for_evaluation(4));
    std::vector<Candidate> list = candidates_of(call, samples);
    call.settings.progress().finish();
    Model fit = call.model(samples, std::move(list.back().solution));
    Result result{model_text(fit), call.settings.is_private()};
    list.back().solution = std::move(fit.solution);
    deliver(result, [&] {
        Json report =
            evaluation_report(unseen_rows(samples, rows), call.ledger, list, call.settings);
        add_notes(samples.schema, report);
        tell_unweighed(arguments.data, rows, report);
        report["sentence"] = sentence_of_comparison(report);
        report["verdicts"] = verdicts(report["measures"]);
        if (!arguments.data.group.empty() && rows.is_private) report["price"] = kPriceOfPersons;
        result.text = report.dump() + '\n';
        call.printed.write(call.shown(report, comparison_text(report)));
    });
}

/** Failure(kUsage) if one of these was given. */
void refuse(const Command &command, const char *why, const std::vector<std::string> &flags) {
    for (const std::string &flag : flags)
        if (command.get_option(flag)->count() > 0)
            throw Failure(kUsage, flag + " has no effect " + why);
}

/** What answers depends on the rows that there are. */
void assess(const AssessArguments &arguments) {
    const DataArguments &data = arguments.data;
    const bool is_private = option_text(arguments.assignments, "private_domain") != "none";
    const bool has_target = !data.target.empty() || !data.data.empty();
    const bool compares =
        arguments.target_rows == 0 && has_target && (is_private || !arguments.test.path.empty());
    if (arguments.dry_run && !compares) check_dry_run(false);
    const Command &command = *arguments.command;
    if (arguments.target_rows > 0 || compares)
        refuse(command, compares ? "beside a target" : "beside --target-rows",
               {"--by", "--share", "--epsilons", "--sizes", "--repeats"});
    if (!compares)
        refuse(command, "without a private target, or --test",
               {"--ledger", "--holdout", "--test", "--test-rows"});
    if (arguments.target_rows > 0) {
        forecast(arguments, arguments.target_rows);
    } else if (compares) {
        compare(arguments);
    } else {
        rehearse(arguments);
    }
}

void add_comparison(Command &command, AssessArguments &arguments) {
    add_ledger_arguments(command, arguments);
    Argument *test =
        arguments.test.add(command, "Labelled rows of the target that no fit shall see");
    command
        .add_option("--holdout", arguments.holdout,
                    "Without --test: share of the target's rows to measure errors on")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 0.9))
        ->excludes(test)
        ->type_name("SHARE");
}

void add_rehearsal(Command &command, AssessArguments &arguments) {
    add_text(command, "--by", arguments.by, "COLUMN=VALUE",
             "The rows of --source that play the target");
    command
        .add_option("--share", arguments.share,
                    "Without --by: the share of --source that does, at random")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 0.9))
        ->type_name("SHARE");
    add_list(command, "--epsilons", arguments.epsilons, "A,B,C",
             "Budgets to try (default: --epsilon, else 0.5,1,4,10)");
    add_list(command, "--sizes", arguments.sizes, "A,B,C",
             "Numbers of target rows to try (default: all, a half, a quarter)");
    command.add_option("--repeats", arguments.repeats, "Draws of the noise for each cell")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
}

}  // namespace

void add_assess(Command &program) {
    const auto [command, arguments] = new_command(
        program, "assess",
        "Tells whether adaptation helps, what it costs, and how many rows it needs", assess);
    arguments.command = &command;
    add_data_arguments(command, arguments);
    add_comparison(command, arguments);
    add_rehearsal(command, arguments);
    command
        .add_option("--target-rows", arguments.target_rows,
                    "Forecasts the errors of a target of so many records that does not exist yet, "
                    "from --source alone")
        ->check(CLI::Range(std::uint64_t{1}, kMostRows))
        ->excludes("--target")
        ->excludes("--data")
        ->type_name("NUMBER");
    command.footer(std::string("A private target pays, as in compare.\n") + kCompareFooter +
                   "\nWithout one nothing is paid, as in rehearse.\n" + kRehearseFooter);
    const auto [comparison, compared] =
        new_command(program, "compare",
                    "assess with a target: its errors beside those of simple fits", compare);
    add_data_arguments(comparison, compared);
    add_comparison(comparison, compared);
    comparison.footer(kCompareFooter);
    const auto [rehearsal, rehearsed] =
        new_command(program, "rehearse",
                    "assess on public rows: errors by rows and epsilon, at no price", rehearse);
    add_data_arguments(rehearsal, rehearsed);
    for (const char *flag : {"--rows", "--group", "--add-source"})
        rehearsal.get_option(flag)->group("");  // what takes it says why it is refused
    add_rehearsal(rehearsal, rehearsed);
    rehearsal.footer(kRehearseFooter);
}

}  // namespace dpadapt::cli
