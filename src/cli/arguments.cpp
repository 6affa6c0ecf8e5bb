#include "cli/arguments.hpp"

#include "cli/csv_reader.hpp"
#include "cli/failure.hpp"

namespace dpadapt::cli {
namespace {

/** A list of names separated by commas, in one argument. */
void add_names(CLI::App &command, const std::string &flag, std::vector<std::string> &names,
               const std::string &meaning) {
    command.add_option(flag, names, meaning)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("A,B,C");
}

}  // namespace

void add_data_arguments(CLI::App &command, DataArguments &arguments) {
    auto *source = command.add_option("--source", arguments.source, "Source sample");
    auto *target = command.add_option("--target", arguments.target, "Target sample");
    auto *data = command.add_option("--data", arguments.data, "Both samples in one file");
    for (CLI::Option *file : {source, target, data}) file->type_name("FILE.csv");
    source->needs(target)->excludes(data);
    target->needs(source)->excludes(data);
    command.add_option("--label", arguments.label, "Column of the labels")
        ->required()
        ->type_name("COLUMN");
    command
        .add_option("--domain", arguments.domain,
                    "Column with the words source and target, for --data; never a feature")
        ->capture_default_str()
        ->type_name("COLUMN");
    add_names(command, "--features", arguments.features,
              "Columns to use as features, in this order (default: all others)");
    add_names(command, "--ignore", arguments.ignored, "Columns to leave out");
}

void add_settings(CLI::App &command, std::vector<std::string> &assignments) {
    command
        .add_option("--set", assignments, "Sets an option; may be repeated (see: dpadapt options)")
        ->allow_extra_args(false)
        ->type_name("KEY=VALUE");
}

void check_arguments(const DataArguments &arguments) {
    if (arguments.data.empty() && arguments.source.empty()) {
        throw Failure(kUsage, "--source and --target are needed, or --data (see --help)");
    }
    if (arguments.label.empty()) throw Failure(kUsage, "--label is needed (see --help)");
    std::vector<std::string> uses = arguments.features;
    uses.insert(uses.end(), arguments.ignored.begin(), arguments.ignored.end());
    uses.push_back(arguments.label);
    if (!arguments.data.empty()) uses.push_back(arguments.domain);
    const std::string twice = repeated_name(uses);
    if (twice.empty()) return;
    throw Failure(kUsage, "column \"" + twice + "\" is given twice, or for two uses");
}

}  // namespace dpadapt::cli
