#include <memory>

#include "cli/read/arguments.hpp"
#include "cli/read/failure.hpp"
#include "cli/run/arguments.hpp"
#include "cli/run/commands.hpp"
#include "cli/run/fits.hpp"
#include "cli/show/output.hpp"
#include "cli/show/privacy_report.hpp"
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

std::string shown(const LedgerHandle &ledger, bool json) {
    return report_by(dpa_ledger_report, static_cast<const dpa_ledger *>(ledger.get()),
                     json ? DPA_REPORT_JSON : DPA_REPORT_TEXT);
}

void init(const LedgerArguments &arguments) {
    const OptionsHandle options = parse_options(arguments.assignments);
    dpa_ledger *ledger = nullptr;
    check(dpa_ledger_create_file(arguments.path.c_str(), options.get(), arguments.open ? 0 : 1,
                                 &ledger));
    Output().write(shown(LedgerHandle(ledger), arguments.json));
}

void show(const LedgerArguments &arguments) {
    Output().write(shown(open_ledger_file(arguments.path), arguments.json));
}

void verify(const LedgerArguments &arguments) {
    const LedgerHandle ledger = open_ledger_file(arguments.path);
    if (!arguments.head.empty()) check_head(ledger, arguments.path, arguments.head);
    const Json facts = ledger_facts(ledger);
    Output().write("entries: " + std::to_string(facts["entries"].size()) +
                   "\nhead: " + facts["head"].get<std::string>() + '\n');
}

Command add(Command &group, const char *name, const char *meaning, LedgerArguments &arguments) {
    Command command = group.add_command(name, meaning);
    command.add("file", arguments.path, "The ledger").required().placeholder("FILE");
    return command;
}

}  // namespace

void check_head(const LedgerHandle &ledger, const std::string &path, const std::string &head) {
    int32_t contains = 0;
    const dpa_status status = dpa_ledger_contains(ledger.get(), head.c_str(), &contains);
    if (status == DPA_E_INVALID_ARGUMENT) throw Failure(kUsage, dpa_last_error());
    check(status);
    if (contains == 0)
        throw Failure(kBadData, path + ": no entry has the hash " + head +
                                    ": entries were removed, or it is another ledger");
}

void add_ledger(Command &program) {
    Command group = program.add_command("ledger", "Keeps one privacy budget for many commands");
    group.requires_command();
    const auto arguments = std::make_shared<LedgerArguments>();

    Command making = add(group, "init", "Makes a ledger with a budget", *arguments);
    add_settings(making, arguments->assignments);
    making
        .add_assignment("--unit", arguments->assignments,
                        "Same as --set unit=NAME: record, or person, for calls with --group")
        .placeholder("NAME");
    making.add_flag("--open", arguments->open,
                    "Does not lock: else it refuses seeded noise, and another private_domain than "
                    "now");
    making.add_flag("--json", arguments->json, "Prints one JSON object");
    making.runs([arguments] { init(*arguments); });

    Command showing = add(group, "show", "Prints what was paid and what for", *arguments);
    showing.add_flag("--json", arguments->json, "Prints one JSON object");
    showing.runs([arguments] { show(*arguments); });

    Command verifying = add(group, "verify", "Finds out whether it was changed", *arguments);
    verifying
        .add("--head", arguments->head,
             "A hash that the ledger had before: finds out whether later entries were cut off")
        .placeholder("HASH");
    verifying.runs([arguments] { verify(*arguments); });
}

}  // namespace dpadapt::cli
