#include <memory>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

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

Json option_table() {
    Json table = Json::array();
    for (std::size_t i = 0; i < dpa_option_count(); ++i) {
        table.push_back({{"name", dpa_option_name(i)},
                         {"type", dpa_option_type(i)},
                         {"default", dpa_option_default(i)},
                         {"values", dpa_option_values(i)},
                         {"meaning", dpa_option_doc(i)}});
    }
    return table;
}

std::string option_text(const Json &table) {
    std::string text;
    for (const Json &option : table) {
        const auto field = [&](const char *key) { return option[key].get<std::string>(); };
        text += field("name") + " (" + field("type") + ", default " + field("default") + ")\n";
        text += wrapped("Values: " + field("values"), "    ");
        text += wrapped(field("meaning"), "    ");
    }
    return text;
}

}  // namespace

void add_options(Command &program) {
    const auto json = std::make_shared<bool>(false);
    Command command = program.add_command("options", "Lists the options that --set knows");
    command.add_flag("--json", *json, "Prints one JSON array");
    command.runs([json] {
        const Json table = option_table();
        Output().write(*json ? table.dump() + '\n' : option_text(table));
    });
}

}  // namespace dpadapt::cli
