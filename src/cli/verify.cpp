#include <dpadapt/ledger.h>

#include <memory>

#include "cli/certificate.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/input_file.hpp"
#include "cli/ledger.hpp"
#include "cli/output.hpp"
#include "cli/signing_key.hpp"

namespace dpadapt::cli {
namespace {

struct VerifyArguments {
    std::string report;
    std::string key;
    std::string ledger;
};

/** What the signature says. */
std::string signer(const Signature &signature, const VerifyArguments &arguments) {
    if (arguments.key.empty())
        return signature.public_key.empty() ? "none: whoever had the report could change it"
                                            : "by " + signature.public_key +
                                                  ": compare it with a key that you trust (--key)";
    if (signature.public_key.empty()) throw Failure(kBadData, arguments.report + ": is not signed");
    if (signature.public_key != arguments.key)
        throw Failure(kBadData,
                      arguments.report + ": was signed by another key, " + signature.public_key);
    return "by that key";
}

/** Which ledger it was paid from, and whether it was compared. */
std::string ledger_of(const Json &report, const VerifyArguments &arguments) {
    const Json &shared = report.at("shared_ledger");
    if (shared.is_null()) return "none: the budget was of this problem alone";
    const std::string facts =
        std::string(shared.at("locks").get<bool>()
                        ? "locks its problems"
                        : "does not lock its problems, which may give results without protection") +
        "; has " + shared.at("entry_count").dump() + " entries up to " +
        shared.at("head").get<std::string>() + "; ";
    if (arguments.ledger.empty())
        return facts +
               "not compared (--ledger): what all calls have spent is taken from the report";
    return facts + "has these entries, unchanged";
}

void verify(const VerifyArguments &arguments) {
    if (!arguments.key.empty() &&
        (arguments.key.size() != 64 ||
         arguments.key.find_first_not_of("0123456789abcdef") != std::string::npos))
        throw Failure(kUsage,
                      "--key must be 64 hexadecimal digits, as dpadapt key show prints them");
    const Signature signature = checked_signature(read_file(arguments.report), arguments.report);
    const LedgerHandle ledger =
        arguments.ledger.empty() ? LedgerHandle() : open_ledger_file(arguments.ledger);
    const Json report = checked_report(signature.report, arguments.report, ledger);
    std::string text = "signature: " + signer(signature, arguments) +
                       "\nreport: every word and number follows from the releases in it\nledger: " +
                       ledger_of(report, arguments) + '\n' +
                       report.at("summary").get<std::string>() + '\n';
    const std::string words = words_of_signer(report);
    if (!words.empty()) text += "The signer's words, which nothing here can check:\n" + words;
    Output().write(text);
}

}  // namespace

void add_verify(Command &program) {
    const auto arguments = std::make_shared<VerifyArguments>();
    Command command = program.add_command(
        "verify", "Computes a privacy report again and checks its signature and its ledger");
    command.add("report", arguments->report, "Privacy report in JSON")
        .required()
        .placeholder("REPORT.json");
    command.add("--key", arguments->key, "The public key that must have signed it")
        .placeholder("DIGITS");
    command.add("--ledger", arguments->ledger, "The ledger that it was paid from")
        .placeholder("FILE");
    command.runs([arguments] { verify(*arguments); });
}

}  // namespace dpadapt::cli
