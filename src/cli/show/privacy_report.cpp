#include <cmath>
#include <regex>
#include <sstream>

#include "cli/read/failure.hpp"
#include "cli/read/text.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

std::string unprotected(int32_t form) {
    const std::string summary = "NOT PRIVATE: private_domain is none, so no record is protected.";
    const Json report = {{"summary", summary}, {"private", false}};
    return (form == DPA_REPORT_JSON ? report.dump() : summary) + '\n';
}

int32_t promise(const dpa_solution *solution) {
    int32_t promise = DPA_PROTECTION_NONE;
    check(dpa_solution_privacy(solution, &promise, nullptr, nullptr));
    return promise;
}

}  // namespace

LedgerHandle open_ledger_file(const std::string &path) {
    dpa_ledger *ledger = nullptr;
    check(dpa_ledger_open(path.c_str(), &ledger));
    return LedgerHandle(ledger);
}

Json ledger_facts(const LedgerHandle &ledger) {
    return Json::parse(report_by(dpa_ledger_report, ledger.get(), DPA_REPORT_JSON));
}

std::string protection(const dpa_solution *solution) {
    switch (promise(solution)) {
        case DPA_PROTECTION_GUARANTEED:
            return "guaranteed";
        case DPA_PROTECTION_SEEDED:
            return "seeded";
        case DPA_PROTECTION_IN_PART:
            return "in part";
        default:
            return "none";
    }
}

std::string privacy_report(const dpa_solution *solution, int32_t form) {
    if (promise(solution) == DPA_PROTECTION_NONE) return unprotected(form);
    return report_by(dpa_solution_privacy_report, solution, form);
}

std::string privacy_report(const dpa_problem *problem, const Settings &settings, int32_t form) {
    if (!settings.is_private()) return unprotected(form);
    return report_by(dpa_problem_privacy_report, problem, form);
}

namespace {

constexpr double kLargeEpsilon = 10.0;

double private_rows(const Json &privacy) {
    const std::string domain = privacy.value("private_domains", "");
    const double source = privacy.value("source_rows", 0.0);
    const double target = privacy.value("target_rows", 0.0);
    return domain == "source" ? source : domain == "target" ? target : source + target;
}

void add_budget(const Json &privacy, Json &notes) {
    const double n = private_rows(privacy);
    const Json &budget = privacy["budget"];
    const double delta = budget.value("delta", 0.0);
    const double epsilon = budget.value("epsilon", 0.0);
    if (n > 0.0 && delta >= 1.0 / n)
        notes.push_back("WARNING: delta = " + to_text(delta) + " is not below 1/n = 1/" +
                        to_text(n) + ": the promise would allow to publish some " +
                        privacy.value("unit", "record") + " as it is.");
    if (epsilon > kLargeEpsilon)
        notes.push_back("WARNING: epsilon = " + to_text(epsilon) +
                        " is above 10: the promise means little to a single person.");
}

/** How many numbers a gradient has: those of a predictor. */
double numbers_of(const dpa_solution *solution) {
    double count = 0.0;
    if (dpa_solution_value(solution, "parameters", &count) == DPA_OK) return count;
    check(dpa_solution_value(solution, "dimension", &count));
    return count * static_cast<double>(outputs(solution));
}

/** A mean of clipped gradients has norm 1 at most, in units of the clip: less than three deviations
 *  of its noise is nothing. */
void add_noise(const dpa_solution *solution, const Json &privacy, Json &notes) {
    for (const Json &entry : privacy["releases"]) {
        const Json &release = entry["release"];
        if (release["purpose"] != "gradient of the predictor") continue;
        const double noise = release.value("sigma", 0.0) *
                             std::sqrt(numbers_of(solution) / release.value("steps", 1.0));
        if (3.0 * noise < 1.0) continue;
        notes.push_back("WARNING: " + to_text(private_rows(privacy)) + " private " +
                        privacy.value("unit", "record") +
                        "s are too few for this epsilon and so many features: the "
                        "noise hides whatever they show. dpadapt plan tells the noise for other "
                        "sizes without spending anything.");
        return;
    }
}

/** The library's sentences, a line each. */
std::string findings_of(const dpa_solution *solution, const std::string &labels) {
    return filled_text([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_solution_findings(solution, labels.c_str(), out, size, needed);
    });
}

/** The notes below the first paragraph, in the place of the library's findings, which know no names
 *  of labels. */
std::string with_notes(const std::string &text, const dpa_solution *solution, const Json &notes) {
    std::string result = text;
    std::istringstream findings(findings_of(solution, ""));
    for (std::string line; std::getline(findings, line);) {
        const std::size_t at = result.find(line + '\n');
        if (at != std::string::npos) result.erase(at, line.size() + 1);
    }
    std::string paragraphs;
    for (const Json &note : notes) paragraphs += note.get<std::string>() + '\n';
    return result.insert(result.find('\n') + 1, paragraphs);
}

/** A sentence about public cells with the column by name, and the option that reads codes. */
std::string with_name(const std::string &line, const Json &features) {
    static const std::regex kNumbered(R"(column (\d+)(: .* (\S+); a code for missing\?))");
    std::smatch at;
    if (!std::regex_search(line, at, kNumbered)) return line;
    return at.prefix().str() + features.at(std::stoul(at[1])).get<std::string>() + at[2].str() +
           " --missing " + at[3].str() + '.' + at.suffix().str();
}

}  // namespace

void add_findings(const dpa_solution *solution, const schema::Labels &labels, Json &report) {
    Json notes = Json::array();
    report["used_private_data"] = nullptr;
    const Json &privacy = report["privacy"];
    if (privacy.contains("call"))
        report["used_private_data"] = privacy["call"].value("private_rows_used", Json());
    std::istringstream lines(findings_of(solution, labels.known()));
    for (std::string line; std::getline(lines, line);)
        notes.push_back(with_name(line, report["features"]));
    if (privacy.contains("call") && privacy["call"].contains("epsilon_kept_for_discrepancies"))
        notes.push_back(to_text(privacy["call"]["epsilon_kept_for_discrepancies"].get<double>()) +
                        " of epsilon are kept for a discrepancy that this fit does not release.");
    if (report["protection"] != "none") {
        add_budget(privacy, notes);
        add_noise(solution, privacy, notes);
    }
    for (const Json &note : report["schema"]["notes"]) notes.push_back(note);
    report["notes"] = notes;
}

std::string report_text(const Json &report, const dpa_solution *solution, int32_t form) {
    const std::string text = privacy_report(solution, form);
    return form == DPA_REPORT_TEXT ? with_notes(text, solution, report["notes"]) : text;
}

}  // namespace dpadapt::cli
