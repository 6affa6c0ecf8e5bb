#include <dpadapt/dpadapt.h>

#include <sstream>

#include "cli/read/failure.hpp"
#include "cli/run/commands.hpp"
#include "cli/show/output.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

constexpr std::size_t kLineWidth = 80;

/** The text in lines of at most kLineWidth characters, each after the indent. */
std::string wrapped(const std::string &text, const std::string &indent) {
    std::istringstream words(text);
    std::string result;
    std::string line;
    for (std::string word; words >> word;) {
        if (!line.empty() && indent.size() + line.size() + 1 + word.size() > kLineWidth) {
            result += indent + line + '\n';
            line.clear();
        }
        line += line.empty() ? word : ' ' + word;
    }
    return result + indent + line + '\n';
}

/** The tiers of dpa_option_text, and their headings. */
constexpr const char *kTiers[][2] = {
    {"basic", "Basic"},
    {"advanced", "Advanced"},
    {"research", "Research: for experiments and baselines; may change in any release"},
};

/** The option of that name; if none is called so, those that have the word in them. */
Json option_table(const std::string &word) {
    Json table = Json::array();
    for (std::size_t i = 0; dpa_option_text(i, "name") != nullptr; ++i) {
        Json row;
        for (const char *text : {"name", "tier", "type", "default", "values", "readers", "meaning"})
            row[text] = dpa_option_text(i, text);
        if (row["name"] == word) return Json::array({row});
        const auto has_word = [&](const char *text) {
            return shown(row[text]).find(word) != std::string::npos;
        };
        if (has_word("name") || has_word("meaning") || has_word("readers")) table.push_back(row);
    }
    return table;
}

/** The options of a tier under its heading. */
std::string tier_text(const Json &table, const std::string &tier, const std::string &heading) {
    std::string text;
    for (const Json &option : table) {
        if (option["tier"] != tier) continue;
        const auto field = [&](const char *key) { return option[key].get<std::string>(); };
        text += field("name") + " (" + field("type") + ", default " + field("default") + ")\n" +
                wrapped("Values: " + field("values"), "    ") + wrapped(field("meaning"), "    ") +
                wrapped("Read by " + field("readers"), "    ");
    }
    return text.empty() ? "" : heading + "\n\n" + text + '\n';
}

struct OptionArguments {
    std::string word;
    bool all = false;
    bool json = false;
};

void list_options(const OptionArguments &arguments) {
    const Json table = option_table(arguments.word);
    if (table.empty()) throw Failure(kUsage, "no option is about \"" + arguments.word + '"');
    if (arguments.json) return Output().write(table.dump() + '\n');
    const bool every = arguments.all || !arguments.word.empty();
    std::string text;
    for (const auto &[tier, heading] : kTiers)
        if (every || tier == kTiers[0][0]) text += tier_text(table, tier, heading);
    if (!every) text += "dpadapt options --all lists those for advanced users and research, too.\n";
    Output().write(text);
}

}  // namespace

void add_options(Command &program) {
    const auto [command, arguments] =
        new_command(program, "options", "Lists the options that --set knows", list_options);
    add_text(command, "word", arguments.word, "WORD",
             "Only the option of that name, or those that are about the word");
    command.add_flag("--all", arguments.all, "The options of all tiers, not only the basic ones");
    add_json(command, arguments.json);
}

namespace {

/** The help of all commands as the page of dpadapt(1), which keeps its lines. */
std::string man_page(const Command &program) {
    // Not help(), which is that of a command below where one was given.
    const std::string help =
        program.get_formatter()->make_help(&program, program.get_name(), CLI::AppFormatMode::All);
    std::string text = ".TH DPADAPT 1 \"\" \"dpadapt " + std::string(dpa_version()) +
                       "\" \"User commands\"\n.SH NAME\ndpadapt \\- supervised domain adaptation "
                       "under differential privacy\n.SH DESCRIPTION\n.nf\n";
    for (const char c : help) {  // no character is taken as markup
        if (text.back() == '\n' && (c == '.' || c == '\'')) text += "\\&";
        text += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    }
    return text + ".fi\n.SH OPTIONS OF \\-\\-set\n.B dpadapt options\nlists them.\n";
}

}  // namespace

void add_manual(Command &program) {
    program.add_subcommand("manual", "Prints the page of dpadapt for man")->callback([&program] {
        Output().write(man_page(program));
    });
}

}  // namespace dpadapt::cli
