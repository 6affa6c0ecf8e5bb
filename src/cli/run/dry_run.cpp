#include "cli/run/dry_run.hpp"

#include <cstdint>
#include <filesystem>

namespace dpadapt::cli {

namespace {

/** Refuses the entry, which stays in the ledger that is asked. */
int32_t refuse(std::uint64_t /*sequence*/, const std::uint8_t * /*entry*/, std::size_t /*length*/,
               void *asked) {
    *static_cast<bool *>(asked) = true;
    return 1;
}

/** In memory, with the same entries. */
LedgerHandle copy_of(const LedgerHandle &ledger) {
    const auto bytes = filled<std::vector<std::uint8_t>>(dpa_ledger_serialize, ledger.get());
    return made<LedgerHandle>(dpa_ledger_deserialize, bytes.data(), bytes.size());
}

std::string text_of(const Json &report) {
    std::string text = "Dry run: nothing was paid, and nothing was written.\n";
    for (const Json &payment : report["pays"])
        text += "Would pay for " + shown(payment["what"]) + ": " + in_words(payment["price"]) +
                "\n  and release: " + shown(payment["releases"]) + '\n';
    if (report["pays"].empty()) text += "Would pay nothing.\n";
    if (report["ledger"].is_object())
        for (const char *when : {"before", "after"})
            text += "The ledger has left, " + std::string(when) + ": " +
                    in_words(report["ledger"][when]["left"]) + '\n';
    for (const Json &file : report["writes"])
        text += "Would write " + shown(file["argument"]) + ": " + shown(file["file"]) +
                (file["exists"].get<bool>() ? ", in place of what is there" : "") + '\n';
    return text;
}

/** Such as the words of a ledger's entry. */
std::string releases_of(const Json &plan) {
    std::string text;
    for (const Json &release : plan["releases"])
        text += (text.empty() ? "" : "; ") + shown(release["purpose"]) + " (" +
                shown(release["private_domains"]) + ", " + shown(release["mechanism"]) +
                ", steps: " + release["steps"].dump() + ')';
    return text;
}

}  // namespace

DryRun::DryRun(const char *command, const CallArguments &arguments)
    : command_(command), arguments_(arguments) {
    if (arguments.ledger.empty()) return;
    ledger_ = copy_of(open_ledger_file(arguments.ledger));
    before_ = json_by(dpa_ledger_report, ledger_);
}

void DryRun::add(const std::string &what, const Json &cost, const Json &budget,
                 const std::string &releases) {
    payments_.push_back({{"what", what},
                         {"price", price_of(cost, budget["delta"].get<double>())},
                         {"releases", releases}});
}

LedgerHandle DryRun::refusing_ledger(std::vector<std::string> budget, bool &asked) const {
    budget.emplace_back(arguments_.data.group.empty() ? "unit=record" : "unit=person");
    const OptionsHandle options = parse_options(arguments_.assignments, budget);
    LedgerHandle refusing = ledger_
                                ? copy_of(ledger_)
                                : made<LedgerHandle>(dpa_ledger_create, nullptr, options.get(), 0);
    check(dpa_ledger_set_store(refusing.get(), refuse, &asked));
    return refusing;
}

void DryRun::pay(const ProblemHandle &problem, const std::string &what,
                 const std::vector<std::string> &budget, const std::function<void()> &call) {
    bool pays = false;
    const LedgerHandle asked = refusing_ledger(budget, pays);
    use_ledger(problem, asked);
    try {
        call();
    } catch (const Failure &) {
        if (!pays) throw;
    }
    check(dpa_ledger_set_store(asked.get(), nullptr, nullptr));
    if (!pays) return;
    const Json now = json_by(dpa_ledger_report, asked);
    const Json &entry = now["entries"].back();
    add(what, entry["cost"], now["budget"], entry["releases"]);
    if (ledger_) ledger_ = copy_of(asked);
}

void DryRun::pay_fit(const ProblemHandle &problem, const std::string &what,
                     const std::string &baseline, const dpa_options *options) {
    if (ledger_) return pay(problem, what, {}, [&] { (void)solve(problem, baseline, options); });
    const PlanHandle plan = make_plan(problem, baseline, options);
    const Json facts = json_by(dpa_plan_report, plan);
    if (facts["releases"].empty()) return;
    if (!facts["budget"].is_object())
        throw Failure(kUsage,
                      "options epsilon and delta must be set: private records need a budget");
    add(what, facts["total"], facts["budget"], releases_of(facts));
}

void DryRun::tell(const std::vector<NamedFile> &more) const {
    std::vector<NamedFile> outputs{{"--output", arguments_.output},
                                   {"--report", arguments_.report}};
    outputs.insert(outputs.end(), more.begin(), more.end());
    std::error_code error;
    Json writes = Json::array();
    for (const auto &[flag, path] : outputs)
        if (!path.empty())
            writes.push_back({{"argument", flag},
                              {"file", path},
                              {"exists", std::filesystem::exists(path, error)}});
    Json ledger;
    if (ledger_)
        ledger = {{"budget", price_of(before_["budget"]["cap"], before_["budget"]["delta"])},
                  {"before", state_of(before_)},
                  {"after", state_of(json_by(dpa_ledger_report, ledger_))}};
    const Json facts = {{"dry_run", true},
                        {"command", command_},
                        {"pays", payments_},
                        {"ledger", ledger},
                        {"writes", writes}};
    Output().write(arguments_.json ? facts.dump() + '\n' : printable(text_of(facts)));
}

void check_dry_run(bool is_private) {
    if (!is_private)
        throw Failure(kUsage,
                      "--dry-run is for private records, but private_domain is none: "
                      "nothing would be paid");
}

}  // namespace dpadapt::cli
