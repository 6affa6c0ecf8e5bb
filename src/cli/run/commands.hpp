// The commands, and how they add their arguments to the parser, which is CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dpadapt::cli {

using Command = CLI::App;
using Argument = CLI::Option;

// Each adds one command, or a few that belong together.
void add_fit(Command &program);
void add_baseline(Command &program);
void add_select(Command &program);
void add_predict(Command &program);
void add_report(Command &program);
void add_evaluate(Command &program);
void add_calibrate(Command &program);
void add_assess(Command &program);
void add_discrepancy(Command &program);
void add_inspect(Command &program);
void add_plan(Command &program);
void add_privacy(Command &program);
void add_ledger(Command &program);
void add_verify(Command &program);
void add_page(Command &program);
void add_options(Command &program);
void add_manual(Command &program);

/** Runs a command, as a job (job.hpp) if its command line says so. */
void run_command(const Command &command, const std::function<void()> &call);

/** A new command, which runs when the command line has been parsed; its arguments live as long. */
template <typename Arguments>
std::pair<Command &, Arguments &> new_command(Command &parent, const char *name,
                                              const char *meaning, void (*run)(const Arguments &)) {
    const auto arguments = std::make_shared<Arguments>();
    Command *command = parent.add_subcommand(name, meaning);
    command->callback(
        [arguments, run, command] { run_command(*command, [&] { run(*arguments); }); });
    return {*command, *arguments};
}

/** @param placeholder  Stands for the value on the help page. */
Argument *add_text(Command &command, const char *flag, std::string &value, const char *placeholder,
                   const char *meaning);
/** Texts between commas. */
Argument *add_list(Command &command, const char *flag, std::vector<std::string> &values,
                   const char *placeholder, const char *meaning);
/** May be given several times. */
Argument *add_repeated(Command &command, const char *flag, std::vector<std::string> &values,
                       const char *placeholder, const char *meaning);
/** Its value is appended to the texts as "key=value". */
Argument *add_assignment(Command &command, const char *flag, std::vector<std::string> &texts,
                         const char *placeholder, const char *meaning);
Argument *add_json(Command &command, bool &json);

/** Parses and runs what `build` adds to the program, whose name, version and meaning are given. A
 *  wrong command line is a Failure(kUsage).
 *  @return what --help or --version print; empty otherwise. */
std::string run_command_line(int argc, char **argv, const char *name, const std::string &version,
                             const char *meaning, const std::function<void(Command &)> &build);

}  // namespace dpadapt::cli
