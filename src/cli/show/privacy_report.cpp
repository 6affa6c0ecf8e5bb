#include <dpadapt/ledger.h>
#include <dpadapt/privacy.h>

#include <regex>
#include <sstream>

#include "cli/read/failure.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

/** @param writer  dpa_solution_privacy_report or dpa_problem_privacy_report. */
PrivacyReport report_of(auto writer, const auto *handle, bool is_private) {
    const auto page = [=] { return report_by(writer, handle, DPA_REPORT_PAGE); };
    if (!is_private)
        return {Json{{"summary", "NOT PRIVATE: private_domain is none, so no record is protected."},
                     {"private", false}}
                    .dump(),
                "", page};
    std::string json = report_by(writer, handle, DPA_REPORT_JSON);
    json.pop_back();
    return {json, report_by(writer, handle, DPA_REPORT_NUMBERS), page};
}

int32_t promise(const dpa_solution *solution) {
    int32_t promise = DPA_PROTECTION_NONE;
    check(dpa_solution_privacy(solution, &promise, nullptr, nullptr));
    return promise;
}

}  // namespace

Json sentences(const std::string &text, const Json &features) {
    static const std::regex kNumbered(R"(, column (\d+)(: .*))");
    static const std::regex kCode(R"((\S+); a code for missing\?)");
    std::istringstream lines(text);
    Json list = Json::array();
    std::smatch at;
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_search(line, at, kNumbered))
            line = at.prefix().str() + ", " + features.at(std::stoul(at[1])).get<std::string>() +
                   at[2].str();
        list.push_back(std::regex_replace(line, kCode, "$& --missing $1."));
    }
    return list;
}

LedgerHandle open_ledger_file(const std::string &path) {
    return made<LedgerHandle>(dpa_ledger_open, path.c_str());
}

std::string protection(const dpa_solution *solution) {
    for (const auto &[given, word] : {std::pair(DPA_PROTECTION_GUARANTEED, "guaranteed"),
                                      {DPA_PROTECTION_SEEDED, "seeded"},
                                      {DPA_PROTECTION_IN_PART, "in part"}})
        if (promise(solution) == given) return word;
    return "none";
}

PrivacyReport privacy_report(const dpa_solution *solution) {
    return report_of(dpa_solution_privacy_report, solution,
                     promise(solution) != DPA_PROTECTION_NONE);
}

PrivacyReport privacy_report(const dpa_problem *problem, const Settings &settings) {
    return report_of(dpa_problem_privacy_report, problem, settings.is_private());
}

std::string PrivacyReport::text(const Json &notes, const std::string &origin) const {
    const Json facts = Json::parse(json);
    std::string text = shown(facts.at("summary")) + '\n';
    for (const Json &sentences : {notes, facts.value("plain_words", Json())})
        for (const Json &sentence : sentences) text += shown(sentence) + '\n';
    if (!origin.empty()) text += '\n' + origin;
    return numbers.empty() ? text : text + '\n' + numbers;
}

Json price_of(const Json &cost, double delta, int records) {
    double epsilon = 0.0;
    const dpa_status status = dpa_privacy_epsilon(
        delta - cost.value("failure", 0.0), cost["laplace_epsilon"].get<double>(),
        cost["mu"].get<double>(), cost.value("pure_epsilon", 0.0), records, &epsilon);
    return {{"epsilon", status == DPA_OK ? Json(epsilon) : Json(nullptr)},
            {"delta", delta},
            {"mu", cost["mu"]},
            {"laplace_epsilon", cost["laplace_epsilon"]},
            {"pure_epsilon", cost.value("pure_epsilon", 0.0)}};
}

std::string in_words(const Json &price) {
    std::string text = "epsilon = " + shown(price["epsilon"]) +
                       " at delta = " + to_text(price["delta"].get<double>()) +
                       " (mu = " + shown(price["mu"]);
    if (price["laplace_epsilon"] != 0.0)
        text += ", Laplace epsilon = " + shown(price["laplace_epsilon"]);
    if (price["pure_epsilon"] != 0.0)
        text += ", other pure epsilon = " + shown(price["pure_epsilon"]);
    return text + ')';
}

Json state_of(const Json &ledger) {
    const double delta = ledger["budget"]["delta"];
    Json left = price_of(ledger["left"], delta);
    left["epsilon"] = ledger["left"]["epsilon"];
    return {{"spent", price_of(ledger["spent"], delta)}, {"left", left}};
}

void add_left(const LedgerHandle &ledger, Json &report) {
    if (!ledger) return;
    report["ledger_left"] = nullptr;
    try {
        report["ledger_left"] = state_of(json_by(dpa_ledger_report, ledger))["left"];
    } catch (const Failure &) {
        return;  // it stays null
    }
}

std::string left_text(const Json &report) {
    const Json left = report.value("ledger_left", Json());
    return left.is_object() ? "\nThe ledger has left: " + in_words(left) + '\n' : "";
}

}  // namespace dpadapt::cli
