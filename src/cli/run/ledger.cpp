#include <dpadapt/privacy.h>

#include "cli/read/failure.hpp"
#include "cli/run/call.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

struct LedgerArguments {
    std::string path;
    std::vector<std::string> assignments;
    std::string head;
    bool open = false;
    bool json = false;
};

void show(const LedgerHandle &ledger, bool json) {
    Output().write(
        report_by(dpa_ledger_report, ledger.get(), json ? DPA_REPORT_JSON : DPA_REPORT_TEXT));
}

void init_ledger(const LedgerArguments &arguments) {
    const OptionsHandle options = parse_options(arguments.assignments);
    show(made<LedgerHandle>(dpa_ledger_create, arguments.path.c_str(), options.get(),
                            arguments.open ? 0 : 1),
         arguments.json);
}

void show_ledger(const LedgerArguments &arguments) {
    show(open_ledger_file(arguments.path), arguments.json);
}

void check_head(const LedgerHandle &ledger, const LedgerArguments &arguments) {
    int32_t contains = 0;
    const dpa_status status = dpa_ledger_contains(ledger.get(), arguments.head.c_str(), &contains);
    if (status == DPA_E_INVALID_ARGUMENT) throw Failure(kUsage, dpa_last_error());
    check(status);
    if (contains == 0)
        throw Failure(kBadData, arguments.path + ": no entry has the hash " + arguments.head +
                                    ": entries were removed, or it is another ledger");
}

void verify_ledger(const LedgerArguments &arguments) {
    const LedgerHandle ledger = open_ledger_file(arguments.path);
    if (!arguments.head.empty()) check_head(ledger, arguments);
    const Json facts = json_by(dpa_ledger_report, ledger);
    Output().write("entries: " + std::to_string(facts["entries"].size()) +
                   "\nhead: " + shown(facts["head"]) + '\n');
}

/** A command about a file, which its first word names. */
auto file_command(Command &group, const char *name, const char *meaning,
                  void (*run)(const LedgerArguments &)) {
    const auto added = new_command(group, name, meaning, run);
    added.first.add_option("file", added.second.path, "The file")->required()->type_name("FILE");
    return added;
}

}  // namespace

void add_ledger(Command &program) {
    Command &group =
        *program.add_subcommand("ledger", "Keeps one privacy budget for many commands");
    group.require_subcommand(1);
    const auto [init, made] =
        file_command(group, "init", "Makes a ledger with a budget", init_ledger);
    add_settings(init, made.assignments);
    add_assignment(init, "--unit", made.assignments, "NAME",
                   "Same as --set unit=NAME: record, or person, for calls with --group");
    init.add_flag("--open", made.open,
                  "Does not lock: else it refuses seeded noise, and another private_domain than "
                  "now");
    add_json(init, made.json);
    const auto [showing, shown] =
        file_command(group, "show", "Prints what was paid and what for", show_ledger);
    add_json(showing, shown.json);
    const auto [verifying, verified] =
        file_command(group, "verify", "Finds out whether it was changed", verify_ledger);
    add_text(verifying, "--head", verified.head, "HASH",
             "A hash that the ledger had before: finds out whether later entries were cut off");
}

namespace {

struct PrivacyArguments {
    double epsilon = 0.0;
    double delta = 0.0;
    double laplace_epsilon = 0.0;
    double mu = 0.0;
    bool json = false;
    std::function<dpa_status(const PrivacyArguments &, double *)> call;
};

/** Here a number outside its range is a bad argument. */
void print_value(const PrivacyArguments &arguments) {
    double value = 0.0;
    const dpa_status status = arguments.call(arguments, &value);
    if (status == DPA_E_INVALID_ARGUMENT) throw Failure(kUsage, dpa_last_error());
    check(status);
    Output().write((arguments.json ? Json{{"value", value}}.dump() : to_text(value)) + '\n');
}

/** @param flags  Which numbers it takes. */
void add_conversion(Command &group, const char *name, const char *meaning, const std::string &flags,
                    dpa_status (*call)(const PrivacyArguments &, double *)) {
    const auto [command, arguments] = new_command(group, name, meaning, print_value);
    arguments.call = call;
    add_json(command, arguments.json);
    const auto add = [&, &to = command](const char *flag, double &value, const char *what) {
        if (flags.find(flag) == std::string::npos) return;
        to.add_option(std::string("--") + flag, value, what)
            ->required()
            ->check(CLI::Number)
            ->type_name("NUMBER");
    };
    add("epsilon", arguments.epsilon, "Epsilon");
    add("delta", arguments.delta, "Delta");
    add("mu", arguments.mu, "Sensitivity/sigma of the Gaussian releases");
    if (flags.ends_with("laplace"))
        command
            .add_option("--laplace-epsilon", arguments.laplace_epsilon,
                        "Sensitivity/scale of the Laplace release")
            ->capture_default_str()
            ->type_name("NUMBER");
}

}  // namespace

void add_privacy(Command &program) {
    Command &group = *program.add_subcommand(
        "privacy", "Converts between noise and (epsilon, delta)-differential privacy");
    group.require_subcommand(1);
    using Arguments = const PrivacyArguments &;
    add_conversion(group, "delta", "Smallest delta of Laplace and Gaussian releases at epsilon",
                   "epsilon mu laplace", [](Arguments a, double *value) {
                       return dpa_privacy_delta(a.epsilon, a.laplace_epsilon, a.mu, value);
                   });
    add_conversion(group, "epsilon", "Smallest epsilon of Laplace and Gaussian releases at delta",
                   "delta mu laplace", [](Arguments a, double *value) {
                       return dpa_privacy_epsilon(a.delta, a.laplace_epsilon, a.mu, 0, 1, value);
                   });
    add_conversion(group, "mu", "Largest mu that epsilon and delta leave for Gaussian releases",
                   "epsilon delta laplace", [](Arguments a, double *value) {
                       return dpa_privacy_mu(a.epsilon, a.delta, a.laplace_epsilon, value);
                   });
    add_conversion(group, "sigma", "Smallest sigma/sensitivity of one Gaussian release",
                   "epsilon delta", [](Arguments a, double *value) {
                       const dpa_status status = dpa_privacy_mu(a.epsilon, a.delta, 0.0, value);
                       *value = std::nextafter(1.0 / *value, 1e300);  // rounded up
                       return status;
                   });
}

}  // namespace dpadapt::cli
