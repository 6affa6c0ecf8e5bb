#include <dpadapt/dpadapt.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"

namespace dpadapt::cli {
namespace {

/** Text for roff: no character is taken as its markup. */
std::string roff(const std::string &text) {
    std::string result;
    for (const char c : text) {
        const bool begins = result.empty() || result.back() == '\n';
        if (begins && (c == '.' || c == '\'')) result += "\\&";
        result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    }
    return result;
}

std::string argument_page(const std::vector<ArgumentHelp> &arguments) {
    std::string text;
    for (const ArgumentHelp &argument : arguments) {
        text += ".TP\n\\fB" + roff(argument.name) + "\\fR";
        if (!argument.value.empty()) text += " \\fI" + roff(argument.value) + "\\fR";
        text += '\n' + roff(argument.meaning) + (argument.required ? " (needed)" : "") + '\n';
    }
    return text;
}

/** A footer keeps its lines. */
std::string footer_page(const std::string &footer) {
    return footer.empty() ? "" : ".PP\n.nf\n" + roff(footer) + "\n.fi\n";
}

std::string command_page(const CommandHelp &command, const std::string &above) {
    const std::string name = above + command.name;
    std::string text = ".SS " + roff(name) + '\n' + roff(command.meaning) + ".\n";
    text += argument_page(command.arguments) + footer_page(command.footer);
    for (const CommandHelp &below : command.commands) text += command_page(below, name + ' ');
    return text;
}

std::string option_page() {
    std::string text = ".SH OPTIONS OF \\-\\-set\n";
    for (std::size_t i = 0; i < dpa_option_count(); ++i) {
        text += ".TP\n\\fB" + roff(dpa_option_name(i)) + "\\fR (" + dpa_option_type(i) +
                ", default " + roff(dpa_option_default(i)) + ")\n";
        text += roff(dpa_option_doc(i)) + "\n.br\nValues: " + roff(dpa_option_values(i)) + '\n';
    }
    return text;
}

/** The page of dpadapt(1). */
std::string man_page(const CommandHelp &program) {
    std::string text = ".TH DPADAPT 1 \"\" \"dpadapt " + std::string(dpa_version()) +
                       "\" \"User commands\"\n.SH NAME\ndpadapt \\- supervised domain adaptation "
                       "under differential privacy\n.SH SYNOPSIS\n.B dpadapt\n\\fICOMMAND\\fR "
                       "[\\fIOPTION\\fR]...\n.SH DESCRIPTION\n";
    text += roff(program.meaning) + '\n' + footer_page(program.footer) + ".SH COMMANDS\n";
    for (const CommandHelp &command : program.commands) text += command_page(command, "");
    return text + option_page();
}

/** Words between blanks. */
std::string joined(const std::vector<std::string> &words) {
    std::string text;
    for (const std::string &word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/** Flags of a command, the short one of help left out. */
std::vector<std::string> flags_of(const CommandHelp &command) {
    std::vector<std::string> flags;
    for (const ArgumentHelp &argument : command.arguments) {
        const std::size_t at = argument.name.find("--");
        if (at != std::string::npos) flags.push_back(argument.name.substr(at));
    }
    return flags;
}

std::vector<std::string> names_of(const std::vector<CommandHelp> &commands) {
    std::vector<std::string> names;
    names.reserve(commands.size());
    for (const CommandHelp &command : commands) names.push_back(command.name);
    return names;
}

std::vector<std::string> baselines() {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < dpa_baseline_count(); ++k) names.emplace_back(dpa_baseline_name(k));
    return names;
}

std::vector<std::string> options(const char *end) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < dpa_option_count(); ++i)
        names.push_back(std::string(dpa_option_name(i)) + end);
    return names;
}

/** Words that follow a command without dashes. */
std::vector<std::string> words_of(const CommandHelp &command) {
    if (command.name == "baseline") return baselines();
    if (command.name == "options") return options("");
    return names_of(command.commands);
}

/** Completion for bash, which zsh can use by bashcompinit. */
std::string bash_completion(const CommandHelp &program) {
    std::string text =
        "# Completion of dpadapt, made by: dpadapt completion bash\n"
        "_dpadapt() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
        "    COMPREPLY=()\n"
        "    case $before in\n"
        "        --set | --grid)\n"
        "            COMPREPLY=($(compgen -W '" +
        joined(options("=")) +
        "' -- \"$word\"))\n"
        "            compopt -o nospace 2>/dev/null\n"
        "            return ;;\n";
    for (std::size_t i = 0; i < dpa_option_count(); ++i) {
        const std::string name = dpa_option_name(i);
        if (name != "loss" && name != "method") continue;
        std::string values = dpa_option_values(i);
        for (char &c : values)
            if (c == ',') c = ' ';
        text += "        --" + name + ") words='" + values + "' ;;\n";
    }
    text +=
        "    esac\n"
        "    if [ -z \"$words\" ] && [ \"$COMP_CWORD\" -gt 1 ] && [[ $word != -* ]]; then\n"
        "        case $before in\n"
        "            --*) return ;;  # a file or a value\n"
        "        esac\n"
        "    fi\n"
        "    if [ -z \"$words\" ]; then\n"
        "        case ${COMP_WORDS[1]} in\n";
    for (const CommandHelp &command : program.commands) {
        std::vector<std::string> words = words_of(command);
        for (const std::string &flag : flags_of(command)) words.push_back(flag);
        for (const CommandHelp &below : command.commands)
            for (const std::string &flag : flags_of(below)) words.push_back(flag);
        text += "            " + command.name + ") words='" + joined(words) + "' ;;\n";
    }
    std::vector<std::string> first = names_of(program.commands);
    for (const std::string &flag : flags_of(program)) first.push_back(flag);
    return text +
           "        esac\n"
           "    fi\n"
           "    [ \"$COMP_CWORD\" -gt 1 ] || words='" +
           joined(first) +
           "'\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "}\n"
           "complete -o default -F _dpadapt dpadapt\n";
}

std::string zsh_completion(const CommandHelp &program) {
    return "#compdef dpadapt\n"
           "autoload -U +X bashcompinit && bashcompinit\n" +
           bash_completion(program) +
           "_dpadapt_of_bash() { _bash_complete -o default -F _dpadapt }\n"
           "compdef _dpadapt_of_bash dpadapt\n";
}

}  // namespace

void add_manual(Command &program) {
    Command manual = program.add_command("manual", "Prints the page of dpadapt for man");
    manual.runs([program] { Output().write(man_page(program.program_help())); });
    const auto shell = std::make_shared<std::string>();
    Command completion =
        program.add_command("completion", "Prints what completes dpadapt's words in a shell");
    completion.add("shell", *shell, "bash or zsh").required().placeholder("SHELL");
    completion.runs([program, shell] {
        if (*shell != "bash" && *shell != "zsh")
            throw Failure(kUsage, "completion knows bash and zsh, not \"" + *shell + '"');
        const CommandHelp help = program.program_help();
        Output().write(*shell == "bash" ? bash_completion(help) : zsh_completion(help));
    });
}

}  // namespace dpadapt::cli
