#include "cli/run/command_line.hpp"

#include <CLI/CLI.hpp>
#include <sstream>
#include <utility>

#include "cli/read/failure.hpp"

namespace dpadapt::cli {

namespace {

std::vector<const CLI::App *> below(const CLI::App &app) {
    return app.get_subcommands([](const CLI::App *) { return true; });
}

std::string words_of(const CLI::App &app) {
    std::string words;
    for (const CLI::Option *option : app.get_options())
        for (const std::string &flag : option->get_lnames())
            if (!option->get_group().empty()) words += "--" + flag + ' ';
    for (const CLI::App *command : below(app))
        words += command->get_name() + ' ' + words_of(*command);
    return words;
}

/** Names between commas. As in CSV one with a comma stands between double quotes, and a quote
 *  within is two; elsewhere quotes are letters. */
void append_names(const std::string &list, std::vector<std::string> &names) {
    std::string name;
    bool quoted = false;
    bool begins = true;
    for (std::size_t k = 0; k < list.size(); ++k) {
        const char letter = list[k];
        if (letter == '"' && quoted && list[k + 1] == '"') {
            name += list[++k];
        } else if (letter == '"' && (quoted || begins)) {
            quoted = !quoted;
        } else if (letter == ',' && !quoted) {
            names.push_back(std::exchange(name, {}));
            begins = true;
            continue;
        } else {
            name += letter;
        }
        begins = false;
    }
    if (quoted) throw CLI::ValidationError("a name in " + list + " has no closing quote");
    names.push_back(name);
}

}  // namespace

Argument &Argument::required(bool yes) {
    option_->required(yes);
    return *this;
}

Argument &Argument::needs(const Argument &other) {
    option_->needs(other.option_);
    return *this;
}

Argument &Argument::excludes(const Argument &other) {
    option_->excludes(other.option_);
    return *this;
}

Argument &Argument::shows_default() {
    option_->capture_default_str();
    return *this;
}

Argument &Argument::placeholder(const char *name) {
    option_->type_name(name);
    return *this;
}

Argument &Argument::hidden() {
    option_->group("");
    return *this;
}

Argument &Argument::number() {
    option_->check(CLI::Number);
    return *this;
}

Argument &Argument::within(int least, int most) {
    option_->check(CLI::Range(least, most));
    return *this;
}

Argument &Argument::within(double least, double most) {
    option_->check(CLI::Range(least, most));
    return *this;
}

Command Command::add_command(const char *name, const char *meaning) {
    return Command(*app_->add_subcommand(name, meaning));
}

void Command::requires_command() { app_->require_subcommand(1); }

Argument Command::add(const char *flag, std::string &value, const char *meaning) {
    return Argument(app_->add_option(flag, value, meaning));
}

Argument Command::add(const char *flag, double &value, const char *meaning) {
    return Argument(app_->add_option(flag, value, meaning));
}

Argument Command::add(const char *flag, std::uint64_t &value, const char *meaning) {
    return Argument(app_->add_option(flag, value, meaning));
}

Argument Command::add_flag(const char *flag, bool &value, const char *meaning) {
    return Argument(app_->add_flag(flag, value, meaning));
}

Argument Command::add_list(const char *flag, std::vector<std::string> &values,
                           const char *meaning) {
    const auto append = [&values](const std::vector<std::string> &lists) {
        values.clear();  // the defaults
        for (const std::string &list : lists) append_names(list, values);
    };
    return Argument(app_->add_option_function<std::vector<std::string>>(flag, append, meaning)
                        ->allow_extra_args(false));
}

Argument Command::add_list(const char *flag, std::vector<double> &values, int count,
                           const char *meaning) {
    return Argument(app_->add_option(flag, values, meaning)->delimiter(',')->expected(count));
}

Argument Command::add_repeated(const char *flag, std::vector<std::string> &values,
                               const char *meaning) {
    return Argument(app_->add_option(flag, values, meaning)->allow_extra_args(false));
}

Argument Command::add_assignment(const char *flag, std::vector<std::string> &texts,
                                 const char *meaning) {
    const std::string key = std::string(flag).substr(2) + '=';
    const auto append = [key, &texts](const std::string &value) { texts.push_back(key + value); };
    return Argument(app_->add_option_function<std::string>(flag, append, meaning));
}

Argument Command::argument(const char *flag) const { return Argument(app_->get_option(flag)); }

std::string Command::whole_help() const {
    // Not help(), which is that of a command below where one was given.
    return app_->get_formatter()->make_help(app_, app_->get_name(), CLI::AppFormatMode::All);
}

std::vector<CommandWords> Command::words() const {
    std::vector<CommandWords> list;
    for (const CLI::App *command : below(*app_))
        list.push_back({command->get_name(), words_of(*command)});
    return list;
}

void Command::footer(const std::string &text) { app_->footer(text); }

void Command::runs(std::function<void()> action) { app_->callback(std::move(action)); }

std::string run_command_line(int argc, char **argv, const char *name, const std::string &version,
                             const char *meaning, const std::function<void(Command &)> &build) {
    CLI::App app(meaning, name);
    app.set_version_flag("--version", version);
    Command program(app);
    build(program);
    std::ostringstream text;
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty())
            throw Failure(kUsage,
                          std::string("there is no command \"") + argv[1] + "\" (see --help)");
        if (error.get_exit_code() != 0)
            throw Failure(kUsage, error.what() + std::string(" (see --help)"));
        app.exit(error, text, text);
    }
    return text.str();
}

}  // namespace dpadapt::cli
