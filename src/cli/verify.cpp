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

void verify(const VerifyArguments &arguments) {
    if (!arguments.key.empty() &&
        (arguments.key.size() != 64 ||
         arguments.key.find_first_not_of("0123456789abcdef") != std::string::npos))
        throw Failure(kUsage,
                      "--key must be 64 hexadecimal digits, as dpadapt key show prints them");
    const Signature signature = checked_signature(read_file(arguments.report), arguments.report);
    const Json report = parse_certificate(signature.report, arguments.report);
    std::string text = "signature: " + signer(signature, arguments) + '\n';
    text += "numbers: " + std::to_string(check_numbers(report, arguments.report)) +
            " follow from the integers\n";
    if (arguments.ledger.empty()) {
        text += report.contains("shared_ledger")
                    ? "ledger: not compared (--ledger): what all of its calls have spent is taken "
                      "from the report, which has the entries of its own problem alone\n"
                    : "ledger: none\n";
    } else {
        const LedgerHandle ledger = open_ledger_file(arguments.ledger);
        check_ledger(report, ledger_facts(ledger), arguments.report);
        check_head(ledger, arguments.ledger,
                   report.at("shared_ledger").at("head").get<std::string>());
        text +=
            "ledger: has these entries, unchanged, and what all calls up to this one have "
            "spent\n";
    }
    Output().write(text + report.at("summary").get<std::string>() + '\n');
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
