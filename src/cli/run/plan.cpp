#include <cmath>
#include <iostream>
#include <limits>

#include "cli/read/failure.hpp"
#include "cli/run/assess.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

struct PlanArguments : CallArguments {
    std::uint64_t source_rows = 0;
    std::uint64_t target_rows = 0;
    std::string baseline;
    bool forecast = false;
};

/** Without data --features is a number. */
std::size_t feature_count(const std::vector<std::string> &features) {
    const std::size_t count =
        features.size() == 1 ? whole_number(features.front(), std::numeric_limits<int>::max()) : 0;
    if (count > 0) return count;
    throw Failure(kUsage, "--features must be the number of columns when sizes are given");
}

/** For sizes, or for data. */
PlanHandle plan_of(const PlanArguments &arguments, Settings &settings) {
    if (arguments.source_rows > 0)
        return made<PlanHandle>(dpa_plan_create, arguments.source_rows, arguments.target_rows,
                                feature_count(arguments.data.features), settings.options());
    if (arguments.target_rows > 0)
        throw Failure(kUsage, "--target-rows needs --source-rows, or --forecast");
    check_arguments(arguments.data);
    const Samples samples = read_samples(arguments.data, settings, arguments.baseline);
    const ProblemHandle problem = make_problem(samples);
    PlanHandle plan = make_plan(problem, arguments.baseline, settings.options());
    settings.progress().finish();
    return plan;
}

/** Of costs that somebody waits for. */
void tell_seconds(const dpa_plan *plan) {
    const auto number = [&](const char *name) { return number_of(dpa_plan_value, plan, name); };
    const auto rounded = [](double value) {
        return in_digits(value < 100.0 ? value : std::round(value), value < 100.0 ? 2 : 15);
    };
    const double seconds = number("seconds");
    if (seconds < 1.0) return;
    std::cerr << "At most " << number("passes") << " passes over private rows read "
              << rounded(number("bytes") / 1e9) << " GB in about " << rounded(seconds)
              << " s on one thread here, if the rows are in memory.\n";
}

void print_plan(const PlanArguments &arguments) {
    if (arguments.forecast) return forecast(arguments, arguments.target_rows);
    Settings settings(arguments.assignments);
    const PlanHandle plan = plan_of(arguments, settings);
    Output().write(
        report_by(dpa_plan_report, plan.get(), arguments.json ? DPA_REPORT_JSON : DPA_REPORT_TEXT));
    if (!arguments.json) tell_seconds(plan.get());
}

/** Sizes take the place of all arguments about files. */
void add_sizes(Command &command, PlanArguments &arguments) {
    Argument *source = command.add_option("--source-rows", arguments.source_rows,
                                          "Size of the source, to plan without data");
    Argument *target =
        command.add_option("--target-rows", arguments.target_rows,
                           "Size of the target; without data --features is a number");
    for (Argument *size : {source, target}) {
        size->check(CLI::Range(std::uint64_t{1}, kMostRows))->type_name("NUMBER");
        for (const char *other : {"--target", "--data", "--rows", "--baseline"})
            size->excludes(command.get_option(other));
    }
    for (const char *other : {"--source", "--label", "--ignore", "--compute", "--categories",
                              "--missing", "--positive", "--forecast"})
        source->excludes(command.get_option(other));
    source->needs(target)->needs(command.get_option("--features"));
}

}  // namespace

void add_plan(Command &program) {
    const auto [command, arguments] = new_command(
        program, "plan",
        "Tells what a private fit would release, and what it would cost, without reading a "
        "private record",
        print_plan);
    add_data_arguments(command, arguments);
    command.get_option("--label")->required(false);
    add_text(command, "--baseline", arguments.baseline, "NAME",
             "Plans a private baseline instead of a fit; needs data");
    command.add_flag("--forecast", arguments.forecast,
                     "Same as assess --target-rows: the errors to expect, from --source alone");
    add_sizes(command, arguments);
}

}  // namespace dpadapt::cli
