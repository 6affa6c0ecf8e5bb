#include <memory>

#include "cli/arguments.hpp"
#include "cli/certificate.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/input_file.hpp"
#include "cli/output.hpp"
#include "cli/signing_key.hpp"

namespace dpadapt::cli {
namespace {

struct KeyArguments {
    std::string path;
    std::string report;
    std::string output;
};

void sign(const KeyArguments &arguments) {
    check_outputs({{"--output", arguments.output}}, {{"FILE", arguments.path}});
    const Signature found = checked_signature(read_file(arguments.report), arguments.report);
    if (!found.public_key.empty())
        throw Failure(kBadData, arguments.report + ": is signed already");
    (void)checked_report(found.report, arguments.report);
    Output output(arguments.output);
    output.write(signed_report(found.report, arguments.path));
}

Command add(Command &group, const char *name, const char *meaning, KeyArguments &arguments) {
    Command command = group.add_command(name, meaning);
    command.add("file", arguments.path, "The file of the key").required().placeholder("FILE");
    return command;
}

}  // namespace

void add_key(Command &program) {
    Command group = program.add_command("key", "Makes and uses keys that sign privacy reports");
    group.requires_command();
    const auto arguments = std::make_shared<KeyArguments>();

    Command making = add(group, "new", "Makes a key and prints its public part", *arguments);
    making.runs([arguments] { Output().write(make_key(arguments->path) + '\n'); });

    Command showing = add(group, "show", "Prints the public part of a key", *arguments);
    showing.runs([arguments] { Output().write(public_key_of(arguments->path) + '\n'); });

    Command signing =
        add(group, "sign", "Signs a privacy report in a file if it verifies", *arguments);
    signing.add("report", arguments->report, "Privacy report in JSON")
        .required()
        .placeholder("REPORT.json");
    signing.add("--output", arguments->output, "Where the signed report goes").placeholder("FILE");
    signing.runs([arguments] { sign(*arguments); });
}

}  // namespace dpadapt::cli
