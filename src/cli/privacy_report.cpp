#include "cli/privacy_report.hpp"

#include "cli/arguments.hpp"
#include "cli/failure.hpp"
#include "cli/findings.hpp"
#include "cli/ledger.hpp"
#include "cli/statement.hpp"

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

namespace {

/** A failure is that of the fit itself. */
privacy::Cost price_of_fit(const Samples &samples, const LedgerHandle &ledger, Settings &settings) {
    const ProblemHandle problem = make_problem(samples);
    use_ledger(problem, ledger);
    dpa_plan *made = nullptr;
    check(dpa_plan_for_problem(problem.get(), settings.options(), &made));
    settings.progress().finish();
    const PlanHandle plan(made);
    const Json report = Json::parse(
        report_by(dpa_plan_report, static_cast<const dpa_plan *>(plan.get()), DPA_REPORT_JSON));
    return cost_in(report["total"]);
}

/** All of epsilon and delta, as Gaussian releases. */
privacy::Cost price_of_evaluation(const std::vector<std::string> &assignments) {
    const OptionsHandle options = parse_options(
        assignments, {"discrepancy_share=0", "laplace_epsilon=auto", "selection_epsilon=unset"});
    dpa_ledger *made = nullptr;
    check(dpa_ledger_create(options.get(), 0, &made));
    return cost_in(ledger_facts(LedgerHandle(made))["left"]);
}

std::string mu_of(const privacy::Cost &price) { return to_text(price.totals().mu); }

}  // namespace

void check_fit_and_evaluation(const Samples &samples, const LedgerHandle &ledger,
                              const std::vector<std::string> &assignments, Settings &settings) {
    if (!ledger || !settings.is_private("target")) return;
    const privacy::Cost left = cost_in(ledger_facts(ledger)["left"]);
    privacy::Cost both = price_of_fit(samples, ledger, settings);
    if (!both.within(left)) return;  // the library tells it better, before the fit is paid
    both += price_of_evaluation(assignments);
    if (both.within(left)) return;
    throw Failure(kUsage,
                  "the fit and the evaluation together: the ledger has too little left for both, "
                  "each of which costs epsilon and delta (left is mu = " +
                      mu_of(left) + ", needed is mu = " + mu_of(both) + "); nothing was paid");
}

namespace {

bool has_paid(const ProblemHandle &problem) {
    for (const char *part : {"spent_mu", "spent_laplace_epsilon", "spent_pure_epsilon"}) {
        double spent = 0.0;
        check(dpa_problem_budget(problem.get(), part, &spent));
        if (spent > 0.0) return true;
    }
    return false;
}

}  // namespace

void pay(const ProblemHandle &problem, const std::string &what, const std::function<void()> &call) {
    try {
        call();
    } catch (const Failure &failure) {
        if (failure.code() != kInterrupted || !has_paid(problem)) throw;
        throw Failure(kInterrupted, "interrupted; " + what + " is paid for and gives no result");
    }
}

}  // namespace dpadapt::cli
