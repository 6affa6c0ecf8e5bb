#include <algorithm>
#include <sstream>

#include "cli/read/csv.hpp"
#include "cli/read/failure.hpp"
#include "cli/run/commands.hpp"

namespace dpadapt::cli {

namespace {

/** A variable of the shell that is not set is no value: without its ledger a call would not pay. */
std::string refuse_empty(const std::string &value) {
    return value.empty() ? "has an empty value" : std::string();
}

}  // namespace

Argument *add_text(Command &command, const char *flag, std::string &value, const char *placeholder,
                   const char *meaning) {
    return command.add_option(flag, value, meaning)->type_name(placeholder)->check(refuse_empty);
}

Argument *add_list(Command &command, const char *flag, std::vector<std::string> &values,
                   const char *placeholder, const char *meaning) {
    const auto append = [&values](const std::vector<std::string> &lists) {
        values.clear();                          // the defaults
        for (const std::string &list : lists) {  // as in CSV, a quoted name may have commas
            const Cells names = split_row(list);
            if (names.fault == Cells::Fault::open)
                throw CLI::ValidationError("a name in " + list + " has no closing quote");
            values.insert(values.end(), names.texts.begin(), names.texts.end());
        }
    };
    return command.add_option_function<std::vector<std::string>>(flag, append, meaning)
        ->allow_extra_args(false)
        ->type_name(placeholder);
}

Argument *add_repeated(Command &command, const char *flag, std::vector<std::string> &values,
                       const char *placeholder, const char *meaning) {
    return command.add_option(flag, values, meaning)
        ->allow_extra_args(false)
        ->type_name(placeholder)
        ->check(refuse_empty);
}

Argument *add_assignment(Command &command, const char *flag, std::vector<std::string> &texts,
                         const char *placeholder, const char *meaning) {
    const std::string key = std::string(flag).substr(2) + '=';
    const auto append = [key, &texts](const std::string &value) { texts.push_back(key + value); };
    return command.add_option_function<std::string>(flag, append, meaning)->type_name(placeholder);
}

Argument *add_json(Command &command, bool &json) {
    return command.add_flag("--json", json, "Prints one JSON object");
}

namespace {

/** Says so if the command line has a name that nothing knows: what CLI11 misses then follows from
 *  it. */
void check_names(const Command &program, int argc, char **argv) {
    std::vector<std::string> names;
    const auto check = [&](const std::string &kind, const std::string &name) {
        const std::vector<std::string_view> known(names.begin(), names.end());
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw Failure(kUsage, "there is no " + kind + " \"" + name + '"' +
                                      did_you_mean(name, known) + " (see --help)");
    };
    if (argc < 2 || argv[1][0] == '-') return;
    for (const Command *one : program.get_subcommands([](const Command *) { return true; }))
        names.push_back(one->get_name());
    if (program.get_subcommands().empty()) return check("command", argv[1]);
    names.clear();
    for (const Command *one = program.get_subcommands().front(); one != nullptr;
         one = one->get_subcommands().empty() ? nullptr : one->get_subcommands().front())
        for (const Argument *argument : one->get_options())
            for (const std::string &name : argument->get_lnames()) names.push_back("--" + name);
    for (int i = 2; i < argc; ++i) {
        const std::string_view text = argv[i];
        if (text.starts_with("--") && text.size() > 2)
            check("argument", std::string(text.substr(0, text.find('='))));
    }
}

/** Says what the first argument is for that is needed and was not given. */
void check_required(const Command &program) {
    if (program.get_subcommands().empty()) return;
    for (const Argument *argument : program.get_subcommands().front()->get_options())
        if (argument->get_required() && argument->count() == 0)
            throw Failure(kUsage, argument->get_name() + ' ' + argument->get_type_name() +
                                      " is required: " + argument->get_description() +
                                      " (see --help)");
}

}  // namespace

std::string run_command_line(int argc, char **argv, const char *name, const std::string &version,
                             const char *meaning, const std::function<void(Command &)> &build) {
    static char help[] = "--help";
    if (argc > 1 && std::string_view(argv[1]) == "help") {  // help fit: fit --help
        std::rotate(argv + 1, argv + 2, argv + argc);
        argv[argc - 1] = help;
    }
    Command program(meaning, name);
    program.allow_windows_style_options(false);  // a path begins with /, too
    program.set_version_flag("--version", version);
    build(program);
    std::ostringstream text;
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        check_names(program, argc, argv);
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError))
            check_required(program);
        if (error.get_exit_code() != 0)
            throw Failure(kUsage, error.what() + std::string(" (see --help)"));
        program.exit(error, text, text);
    }
    return text.str();
}

}  // namespace dpadapt::cli
