#include <dpadapt/dpadapt.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/output.hpp"

namespace dpadapt::cli {
namespace {

/** The help of all commands as the page of dpadapt(1), which keeps its lines. */
std::string man_page(const std::string &help) {
    std::string text = ".TH DPADAPT 1 \"\" \"dpadapt " + std::string(dpa_version()) +
                       "\" \"User commands\"\n.SH NAME\ndpadapt \\- supervised domain adaptation "
                       "under differential privacy\n.SH DESCRIPTION\n.nf\n";
    for (const char c : help) {  // no character is taken as markup
        if (text.back() == '\n' && (c == '.' || c == '\'')) text += "\\&";
        text += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    }
    return text + ".fi\n.SH OPTIONS OF \\-\\-set\n.B dpadapt options\nlists them.\n";
}

/** Completion for bash of commands and flags, which zsh can use by bashcompinit. */
std::string bash_completion(const std::vector<CommandWords> &commands) {
    std::string names;
    std::string cases;
    for (const CommandWords &command : commands) {
        names += command.name + ' ';
        cases += "        " + command.name + ") words='" + command.words + "' ;;\n";
    }
    return "# Completion of dpadapt, made by: dpadapt completion bash\n"
           "_dpadapt() {\n"
           "    local words=\n"
           "    case ${COMP_WORDS[1]} in\n" +
           cases +
           "    esac\n"
           "    [ \"$COMP_CWORD\" -gt 1 ] || words='" +
           names +
           "--help --version'\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
           "}\n"
           "complete -o default -F _dpadapt dpadapt\n";
}

std::string zsh_completion(const std::vector<CommandWords> &commands) {
    return "#compdef dpadapt\n"
           "autoload -U +X bashcompinit && bashcompinit\n" +
           bash_completion(commands) +
           "_dpadapt_of_bash() { _bash_complete -o default -F _dpadapt }\n"
           "compdef _dpadapt_of_bash dpadapt\n";
}

}  // namespace

void add_manual(Command &program) {
    Command manual = program.add_command("manual", "Prints the page of dpadapt for man");
    manual.runs([program] { Output().write(man_page(program.whole_help())); });
    const auto shell = std::make_shared<std::string>();
    Command completion =
        program.add_command("completion", "Prints what completes dpadapt's words in a shell");
    completion.add("shell", *shell, "bash or zsh").required().placeholder("SHELL");
    completion.runs([program, shell] {
        if (*shell != "bash" && *shell != "zsh")
            throw Failure(kUsage, "completion knows bash and zsh, not \"" + *shell + '"');
        Output().write(*shell == "bash" ? bash_completion(program.words())
                                        : zsh_completion(program.words()));
    });
}

}  // namespace dpadapt::cli
