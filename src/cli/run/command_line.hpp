// The parser of the command line; only command_line.cpp compiles the library that it stands on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
class Option;
}  // namespace CLI

namespace dpadapt::cli {

/** A command, and the flags and commands that may follow its name, between blanks. */
struct CommandWords {
    std::string name;
    std::string words;
};

/** An argument of a command. */
class Argument {
  public:
    explicit Argument(CLI::Option *option) : option_(option) {}

    Argument &required(bool yes = true);
    Argument &needs(const Argument &other);
    Argument &excludes(const Argument &other);
    /** The help page shows the variable's value of now. */
    Argument &shows_default();
    /** What stands for the value on the help page. */
    Argument &placeholder(const char *name);
    /** Help pages leave it out: what takes it says why it is refused. */
    Argument &hidden();
    /** An empty text is none. */
    Argument &number();
    Argument &within(int least, int most);
    Argument &within(double least, double most);

  private:
    CLI::Option *option_;
};

/** A command. The variables of its arguments must live until it has run. */
class Command {
  public:
    explicit Command(CLI::App &app) : app_(&app) {}

    /** A command below this one. */
    Command add_command(const char *name, const char *meaning);
    /** Wants one of the commands below. */
    void requires_command();

    Argument add(const char *flag, std::string &value, const char *meaning);
    Argument add(const char *flag, double &value, const char *meaning);
    Argument add(const char *flag, std::uint64_t &value, const char *meaning);
    Argument add_flag(const char *flag, bool &value, const char *meaning);
    /** Texts between commas. */
    Argument add_list(const char *flag, std::vector<std::string> &values, const char *meaning);
    /** So many numbers between commas. */
    Argument add_list(const char *flag, std::vector<double> &values, int count,
                      const char *meaning);
    /** May be given several times. */
    Argument add_repeated(const char *flag, std::vector<std::string> &values, const char *meaning);
    /** Its value is appended to the texts as "key=value". */
    Argument add_assignment(const char *flag, std::vector<std::string> &texts, const char *meaning);
    /** One that has been added. */
    [[nodiscard]] Argument argument(const char *flag) const;

    /** The help pages of this command and of all below it, once they are there. */
    [[nodiscard]] std::string whole_help() const;
    /** The commands below this one. */
    [[nodiscard]] std::vector<CommandWords> words() const;

    /** The end of the help page. */
    void footer(const std::string &text);
    /** What the command does, once the command line has been parsed. */
    void runs(std::function<void()> action);

  private:
    CLI::App *app_;
};

/** Parses and runs what `build` adds to the program, whose name, version and meaning are given. A
 *  wrong command line is a Failure(kUsage).
 *  @return what --help or --version print; empty otherwise. */
std::string run_command_line(int argc, char **argv, const char *name, const std::string &version,
                             const char *meaning, const std::function<void(Command &)> &build);

}  // namespace dpadapt::cli
