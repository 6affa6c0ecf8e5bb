#include "cli/read/failure.hpp"
#include "cli/read/schema.hpp"
#include "cli/run/call.hpp"
#include "cli/show/report.hpp"
#include "cli/show/signing.hpp"

namespace dpadapt::cli {

namespace {

struct KeyArguments {
    std::string path;
    std::string report;
    std::string output;
};

void sign(const KeyArguments &arguments) {
    check_outputs({{"--output", arguments.output}}, {{"FILE", arguments.path}});
    const Signature found = checked_signature(read_file(arguments.report), arguments.report);
    if (!found.public_key.empty())
        throw Failure(kBadData, arguments.report + ": is signed already");
    (void)checked_report(found.report, arguments.report);
    Output output(arguments.output);
    output.write(signed_report(found.report, arguments.path));
}

void new_key(const KeyArguments &arguments) { Output().write(make_key(arguments.path) + '\n'); }

void show_key(const KeyArguments &arguments) {
    Output().write(public_key_of(arguments.path) + '\n');
}

}  // namespace

void add_key(Command &program) {
    Command &group =
        *program.add_subcommand("key", "Makes and uses keys that sign privacy reports");
    group.require_subcommand(1);
    (void)file_command(group, "new", "Makes a key and prints its public part", new_key);
    (void)file_command(group, "show", "Prints the public part of a key", show_key);
    const auto [signing, arguments] =
        file_command(group, "sign", "Signs a privacy report in a file if it verifies", sign);
    add_text(signing, "report", arguments.report, "REPORT.json", "Privacy report in JSON")
        ->required();
    add_text(signing, "--output", arguments.output, "FILE", "Where the signed report goes");
}

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
    const auto [command, arguments] = new_command(
        program, "verify",
        "Computes a privacy report again and checks its signature and its ledger", verify);
    add_text(command, "report", arguments.report, "REPORT.json", "Privacy report in JSON")
        ->required();
    add_text(command, "--key", arguments.key, "DIGITS", "The public key that must have signed it");
    add_text(command, "--ledger", arguments.ledger, "FILE", "The ledger that it was paid from");
}

namespace {

struct ReportArguments : CallArguments {
    std::string model;
};

/** The privacy report that a model carries, whatever language has made it. */
void write_report(const ReportArguments &arguments) {
    check_outputs({{"--report", arguments.report}},
                  {{"--model", arguments.model}, {"--sign", arguments.key}});
    ReportFile file(arguments.report, arguments.key);
    const Model model = read_model(arguments.model);
    const dpa_solution *solution = model.solution.get();
    if (!arguments.key.empty()) {
        // Whoever wrote the model wrote its report: what does not verify is not signed.
        const std::string text = privacy_report(solution, DPA_REPORT_JSON);
        (void)checked_report(text.substr(0, text.find_last_not_of('\n') + 1), arguments.model);
    }
    const Json report = solution_report(solution, model.schema);
    file.write([&](int32_t form) { return report_text(report, solution, form); },
               {report["notes"], {}, {}});
    if (!file.is_wanted())
        Output().write(printable(report_text(report, solution, DPA_REPORT_TEXT)));
}

}  // namespace

void add_report(Command &program) {
    const auto [command, arguments] = new_command(
        program, "report", "Writes the privacy report of a saved predictor, of any language",
        write_report);
    add_text(command, "--model", arguments.model, "MODEL.json",
             "Predictor saved by fit, or by R, Java or C")
        ->required();
    add_report_arguments(command, arguments);
}

}  // namespace dpadapt::cli
