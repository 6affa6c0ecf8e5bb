#include "cli/read/failure.hpp"
#include "cli/read/schema.hpp"
#include "cli/run/call.hpp"
#include "cli/show/officer_page.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

struct VerifyArguments {
    std::string report;
    std::string ledger;
};

/** The report, once it is verified; takes the newline at its end away. */
Json checked(std::string &content, const VerifyArguments &arguments) {
    if (content.ends_with('\n')) content.pop_back();
    const LedgerHandle ledger =
        arguments.ledger.empty() ? LedgerHandle() : open_ledger_file(arguments.ledger);
    return checked_report(content, arguments.report, ledger);
}

/** Which ledger it was paid from, and whether it was compared. */
std::string ledger_of(const Json &report, const VerifyArguments &arguments) {
    const Json &shared = report.at("shared_ledger");
    if (shared.is_null()) return "none: the budget was of this problem alone";
    const std::string facts =
        std::string(shared.at("locks").get<bool>()
                        ? "locks its problems"
                        : "does not lock its problems, which may give results without protection") +
        "; has " + shared.at("entry_count").dump() + " entries up to " + shown(shared.at("head")) +
        "; ";
    if (arguments.ledger.empty())
        return facts +
               "not compared (--ledger): what all calls have spent is taken from the report";
    return facts + "has these entries, unchanged";
}

std::string words_of_page(const OfficerParts &page) {
    std::string text;
    for (const auto &[name, word] : {std::pair("purpose", page.words.purpose),
                                     {"recipient", page.words.recipient},
                                     {"custodian", page.words.custodian},
                                     {"valid", page.words.valid}})
        text += std::string("  ") + name + ": " + Json(word).dump(-1, ' ', true) + '\n';
    return text;
}

void verify(const VerifyArguments &arguments) {
    const std::string file = read_file(arguments.report);
    const std::optional<OfficerParts> page = parts_of_page(file);
    std::string content = page ? page->report : file;
    const Json report = checked(content, arguments);
    if (page && officer_page(content, page->words) != file)
        throw Failure(kBadData, arguments.report +
                                    ": the page is not what dpadapt writes of the report in it");
    std::string text = "report: every word and number follows from the releases in it\nledger: " +
                       ledger_of(report, arguments) + '\n' + shown(report.at("summary")) + '\n';
    const std::string words = words_of_signer(report) + (page ? words_of_page(*page) : "");
    if (!words.empty()) text += "The signer's words, which nothing here can check:\n" + words;
    Output().write(text);
}

}  // namespace

void add_verify(Command &program) {
    const auto [command, arguments] =
        new_command(program, "verify",
                    "Computes a privacy report again and compares it with its ledger", verify);
    add_text(command, "report", arguments.report, "REPORT",
             "Privacy report in JSON, or the page of one")
        ->required();
    add_text(command, "--ledger", arguments.ledger, "FILE", "The ledger that it was paid from");
}

namespace {

struct PageArguments : VerifyArguments {
    std::string output;
    SignerWords words;
};

/** The officer's page of a report, once that is verified. */
void write_page(const PageArguments &arguments) {
    if (arguments.words.language != "en" && arguments.words.language != "de")
        throw Failure(kUsage, "--language needs en or de, not \"" + arguments.words.language + '"');
    Output file(arguments.output);
    std::string content = read_file(arguments.report);
    (void)checked(content, arguments);
    file.write(officer_page(content, arguments.words));
}

}  // namespace

void add_page(Command &program) {
    const auto [command, arguments] = new_command(
        program, "page",
        "Writes a one-page summary of a result, to be signed, for readers without statistics",
        write_page);
    SignerWords &words = arguments.words;
    add_text(command, "report", arguments.report, "REPORT.json",
             "Privacy report in JSON, which is verified first")
        ->required();
    add_text(command, "--ledger", arguments.ledger, "FILE", "The ledger that it was paid from");
    add_text(command, "--output", arguments.output, "PAGE.html", "The page")->required();
    add_text(command, "--language", words.language, "en|de", "Of the page")->capture_default_str();
    add_text(command, "--purpose", words.purpose, "TEXT",
             "What the result is for: the signer's words, like the next three")
        ->required();
    add_text(command, "--recipient", words.recipient, "TEXT", "Who gets it")->required();
    add_text(command, "--custodian", words.custodian, "TEXT", "Who answers for the data")
        ->required();
    add_text(command, "--valid", words.valid, "TEXT", "Until when, or for how long")->required();
}

namespace {

struct ReportArguments : CallArguments {
    std::string model;
};

/** The privacy report that a model carries, whatever language has made it. */
void write_report(const ReportArguments &arguments) {
    ReportFile file(arguments.report);
    const Model model = read_model(arguments.model);
    const dpa_solution *solution = model.solution.get();
    const Json report = solution_report(solution, model.schema);
    const PrivacyReport privacy = privacy_report(solution);
    file.write(privacy, {report["notes"], {}, {}});
    if (!file.is_wanted()) Output().write(printable(privacy.text(report["notes"])));
}

}  // namespace

void add_report(Command &program) {
    const auto [command, arguments] = new_command(
        program, "report", "Writes the privacy report of a saved predictor, of any language",
        write_report);
    add_text(command, "--model", arguments.model, "MODEL.json",
             "Predictor saved by fit, or by R, Java or C")
        ->required();
    add_report_argument(command, arguments);
}

}  // namespace dpadapt::cli
