#include <memory>
#include <utility>

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

namespace dpadapt::cli {

namespace {

constexpr const char *kCompareFooter =
    "With private rows the fit that is compared and the noisy errors each pay\n"
    "epsilon and delta, on different rows: one price for every record. A fit to the\n"
    "private rows without noise cannot be shown, so adapted is compared with the\n"
    "public sample alone. With --test that is the price for what is in one of the\n"
    "files, a record or with --group a person: who is in both files pays both prices,\n"
    "and files are not searched for that.\n";
constexpr const char *kPriceOfPersons =
    "The privacy above is that of persons in one file, of --target or of --test: who is in both "
    "pays both prices.";

struct CompareArguments {
    DataArguments data;
    std::vector<std::string> assignments;
    std::string ledger;
    std::string test;
    std::vector<std::string> test_rows;
    double holdout = 0.3;
    bool json = false;
};

std::vector<Candidate> candidates_of(const CompareArguments &arguments, const Samples &samples,
                                     const LedgerHandle &ledger, Settings &settings) {
    std::vector<Candidate> list;
    const OptionsHandle open = parse_options(arguments.assignments, without_privacy());
    if (settings.is_private()) {
        const std::string domain = settings.is_private("source") ? "target" : "source";
        list.push_back(public_only(domain, samples, open.get()));
    } else {
        for (const char *name : {"source_only", "target_only", "pooled"})
            list.push_back(public_baseline(name, samples, open.get()));
    }
    list.push_back(adapted(samples, ledger, settings.options()));
    settings.progress().finish();
    return list;
}

std::string comparison_text(const Json &report) {
    std::string text =
        notes_text(report) + report["privacy"]["summary"].get<std::string>() + "\n\nErrors on " +
        counted(report) + " of the target that no fit has seen, with intervals of level " +
        report["measures"][0]["level"].dump() + "\n\n" + contest_table(report["measures"]) + '\n';
    for (const Json &verdict : report["verdicts"]) text += verdict.get<std::string>() + '\n';
    if (report.contains("price")) text += '\n' + report["price"].get<std::string>() + '\n';
    return text;
}

void check_test_file(const CompareArguments &arguments) {
    for (const NamedFile &seen : input_files(arguments.data, "", ""))
        if (is_same_input(arguments.test, seen.path))
            throw Failure(kUsage, std::string("--test must not be the file of ") + seen.flag +
                                      ": rows that a fit has seen cannot judge it");
}

void compare(const CompareArguments &arguments) {
    check_arguments(arguments.data);
    Settings settings(arguments.assignments);
    if (settings.is_private("source") && settings.is_private("target"))
        throw Failure(kUsage, "compare needs a public sample: private_domain is both");
    if (!arguments.data.group.empty() && arguments.test.empty())
        throw Failure(kUsage,
                      "--group needs --test FILE.csv with rows of other persons: a person would "
                      "be in both parts of a divided file");
    if (!arguments.data.group.empty() && !arguments.test_rows.empty())
        throw Failure(kUsage,
                      "--test-rows is refused with --group, which leaves their number private");
    check_test_file(arguments);
    const LedgerHandle ledger = open_ledger(arguments.ledger, settings);
    const std::size_t count =
        fixed_number_of_rows("--test-rows", arguments.test_rows, settings.is_private("target"));
    Samples samples = read_samples(arguments.data, settings);
    const Sample rows = arguments.test.empty()
                            ? hold_out(samples.target, arguments.holdout)
                            : read_sample(arguments.test, samples.schema, arguments.data.label,
                                          arguments.data.scores, samples.target.is_private, count,
                                          arguments.data.group);
    check_fit_and_evaluation(samples, ledger, arguments.assignments, settings);
    Output printed;
    if (settings.is_private()) printed.reserve(room_for_evaluation(4));
    std::vector<Candidate> list = candidates_of(arguments, samples, ledger, settings);
    const std::vector<std::string> compared = names(list);
    const std::vector<const dpa_solution *> solutions = handles(list);
    const Model model{arguments.data.label, samples.schema, std::move(list.back().solution), false,
                      arguments.data.scores};
    Result result{model_text(model), settings.is_private()};
    deliver(result, [&] {
        const Sample *reference = samples.source.is_private ? nullptr : &samples.source;
        Json report = evaluation_report({&rows, reference, samples.features.size()}, ledger,
                                        solutions, compared, settings);
        tell_unweighed(arguments.data, report);
        report["verdicts"] = verdicts(report["measures"]);
        if (!arguments.data.group.empty() && rows.is_private) report["price"] = kPriceOfPersons;
        result.text = report.dump() + '\n';
        printed.write(arguments.json ? result.text : printable(comparison_text(report)));
    });
}

}  // namespace

void add_compare(Command &program) {
    const auto arguments = std::make_shared<CompareArguments>();
    Command command = program.add_command(
        "compare", "Shows whether adaptation helps: its errors beside those of simple fits");
    add_data_arguments(command, arguments->data);
    add_settings(command, arguments->assignments);
    add_ledger_argument(command, arguments->ledger);
    const auto test =
        command.add("--test", arguments->test, "Labelled rows of the target that no fit shall see");
    Argument(test).placeholder("FILE.csv");
    command
        .add_list("--test-rows", arguments->test_rows,
                  "Number of private records of that file, like --rows")
        .needs(test)
        .placeholder("N");
    command
        .add("--holdout", arguments->holdout,
             "Without --test: share of the target's rows to measure errors on")
        .shows_default()
        .within(0.0, 0.9)
        .excludes(test)
        .placeholder("SHARE");
    command.add_flag("--json", arguments->json, "Prints one JSON object");
    command.footer(kCompareFooter);
    command.runs([arguments] { compare(*arguments); });
}

}  // namespace dpadapt::cli
