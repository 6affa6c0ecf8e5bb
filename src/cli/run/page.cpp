#include "cli/read/failure.hpp"
#include "cli/run/call.hpp"
#include "cli/show/officer_page.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

struct PageArguments {
    std::string report;
    std::string ledger;
    std::string output;
    SignerWords words;
};

/** The officer's page of a report, once that is verified. */
void write_page(const PageArguments &arguments) {
    if (arguments.words.language != "en" && arguments.words.language != "de")
        throw Failure(kUsage, "--language needs en or de, not \"" + arguments.words.language + '"');
    Output file(arguments.output);
    std::string content = read_file(arguments.report);
    if (content.ends_with('\n')) content.pop_back();
    const LedgerHandle ledger =
        arguments.ledger.empty() ? LedgerHandle() : open_ledger_file(arguments.ledger);
    (void)checked_report(content, arguments.report, ledger);
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

}  // namespace dpadapt::cli
