#include "cli/privacy_report.hpp"

#include "cli/findings.hpp"

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

std::string report_text(const Json &report, const dpa_solution *solution, int32_t form) {
    const std::string text = privacy_report(solution, form);
    return form == DPA_REPORT_TEXT ? with_notes(text, solution, report["notes"]) : text;
}

std::string privacy_report(const dpa_problem *problem, const Settings &settings, int32_t form) {
    if (!settings.is_private()) return unprotected(form);
    return report_by(dpa_problem_privacy_report, problem, form);
}

}  // namespace dpadapt::cli
