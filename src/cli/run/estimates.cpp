#include <dpadapt/inspect.h>

#include "cli/read/failure.hpp"
#include "cli/read/problems.hpp"
#include "cli/run/call.hpp"
#include "cli/run/dry_run.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

/** A discrepancy that is released alone has all of epsilon. */
CallArguments with_all_of_epsilon(CallArguments arguments) {
    if (option_text(arguments.assignments, "private_domain") != "none" &&
        option_text(arguments.assignments, "discrepancy_share") == "auto")
        arguments.assignments.emplace_back("discrepancy_share=1");
    return arguments;
}

void discrepancy(const CallArguments &given) {
    const CallArguments arguments = with_all_of_epsilon(given);
    Call call(arguments);
    call.settings.check_read(arguments.assignments, "discrepancies");
    const Samples samples = read_samples(arguments.data, call.settings);
    const ProblemHandle problem = arguments.dry_run ? make_problem(samples) : call.problem(samples);
    const auto make = [&] {
        return made<DiscrepancyHandle>(dpa_discrepancy_estimate, problem.get(),
                                       call.settings.options());
    };
    if (arguments.dry_run) {
        DryRun dry("discrepancy", arguments);
        dry.pay(problem, "the discrepancy", {}, make);
        return dry.tell();
    }
    call.reserve(samples);
    const DiscrepancyHandle estimate = pay(problem, "the discrepancy", make);
    call.settings.progress().finish();
    const PrivacyReport privacy = privacy_report(problem.get(), call.settings);
    Json report = discrepancy_report(estimate.get(), samples.features);
    add_notes(samples.schema, report);
    report["privacy"] = Json::parse(privacy.json);
    Result result{report.dump() + '\n', call.settings.is_private()};
    deliver(result, [&] {
        call.report_file.write(privacy);
        call.printed.write(call.shown(report, discrepancy_text(report)));
    });
}

}  // namespace

void add_discrepancy(Command &program) {
    const auto [command, arguments] = new_command(
        program, "discrepancy", "Estimates the discrepancy between the samples", discrepancy);
    add_data_arguments(command, arguments);
    command.remove_option(command.get_option("--alpha"));
    add_ledger_arguments(command, arguments);
    add_report_argument(command, arguments);
}

namespace {

constexpr const char *kNotPrivate =
    "NOT PRIVATE: counted from private records without noise, for their custodian only. Do not "
    "publish these counts or use them to choose options.";

/** What did not fit in the private files, column by column. */
Json tally_json(const Sample &sample, const schema::Schema &schema, const std::string &label) {
    const Tally &tally = sample.tally;
    Json columns = Json::object();
    const auto add = [&](const std::string &column, const char *reason, std::size_t count) {
        if (count > 0) columns[column][reason] = count;
    };
    for (std::size_t k = 0; k < schema.uses(); ++k)
        for (const auto &[fit, reason] : {std::pair(schema::Fit::missing, "missing"),
                                          {schema::Fit::no_number, "not a number"},
                                          {schema::Fit::unknown_level, "unknown level"}})
            add(schema.use(k), reason, tally.columns[k][static_cast<std::size_t>(fit)]);
    add(label, "no label", tally.no_label);
    add(label, "unknown label", tally.unknown_label);
    return {{"records", sample.y.size()},
            {"wrong number of cells", tally.no_record},
            {"columns", columns}};
}

void inspect(const CallArguments &arguments) {
    Call call(arguments);
    const Samples samples = read_samples(arguments.data, call.settings);
    const ProblemHandle problem = make_problem(samples);
    const std::string found =
        filled_text(dpa_inspect_private, problem.get(), call.settings.options());
    call.settings.progress().finish();
    Json report = {
        {"notice", call.settings.is_private() ? kNotPrivate : "Both samples are public."},
        {"private", false},
        {"found", sentences(found, samples.features)},
        {"labels", samples.schema.labels.known()},
        {"files", Json::object()}};
    for (const std::string &note : samples.schema.notes) report["found"].push_back(note);
    for (const auto &[name, sample] :
         {std::pair("source", &samples.source), std::pair("target", &samples.target)})
        if (sample->is_private)
            report["files"][name] = tally_json(*sample, samples.schema, arguments.data.label);
    call.printed.write(call.shown(report, inspection_text(report)));
}

}  // namespace

void add_inspect(Command &program) {
    const auto [command, arguments] = new_command(
        program, "inspect",
        "NOT PRIVATE: lists unusable records and likely mistakes, for the custodian", inspect);
    add_data_arguments(command, arguments);
}

}  // namespace dpadapt::cli
