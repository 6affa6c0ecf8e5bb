#include "cli/privacy_report.hpp"

#include <cmath>

#include "cli/arguments.hpp"
#include "cli/failure.hpp"
#include "cli/findings.hpp"
#include "cli/ledger.hpp"

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

/** A part of a price, or of what a ledger has left. */
struct Price {
    double mu = 0.0;
    double laplace_epsilon = 0.0;
    double pure_epsilon = 0.0;

    explicit Price(const Json &report)
        : mu(report.at("mu")),
          laplace_epsilon(report.at("laplace_epsilon")),
          pure_epsilon(report.at("pure_epsilon")) {}

    void add(const Price &other) {
        mu = std::hypot(mu, other.mu);
        laplace_epsilon += other.laplace_epsilon;
        pure_epsilon += other.pure_epsilon;
    }
    /** Up to rounding: the library, which pays, counts in integers. */
    [[nodiscard]] bool within(const Price &left) const {
        constexpr double kRounding = 1.0 + 1e-9;
        return mu <= kRounding * left.mu && laplace_epsilon <= kRounding * left.laplace_epsilon &&
               pure_epsilon <= kRounding * left.pure_epsilon;
    }
};

/** A failure is that of the fit itself. */
Price price_of_fit(const Samples &samples, const LedgerHandle &ledger, Settings &settings) {
    const ProblemHandle problem = make_problem(samples);
    use_ledger(problem, ledger);
    dpa_plan *made = nullptr;
    check(dpa_plan_for_problem(problem.get(), settings.options(), &made));
    settings.progress().finish();
    const PlanHandle plan(made);
    const Json report = Json::parse(
        report_by(dpa_plan_report, static_cast<const dpa_plan *>(plan.get()), DPA_REPORT_JSON));
    return Price(report["total"]);
}

/** All of epsilon and delta, as Gaussian releases. */
Price price_of_evaluation(const std::vector<std::string> &assignments) {
    const OptionsHandle options = parse_options(
        assignments, {"discrepancy_share=0", "laplace_epsilon=auto", "selection_epsilon=unset"});
    dpa_ledger *made = nullptr;
    check(dpa_ledger_create(options.get(), 0, &made));
    return Price(ledger_facts(LedgerHandle(made))["left"]);
}

}  // namespace

void check_fit_and_evaluation(const Samples &samples, const LedgerHandle &ledger,
                              const std::vector<std::string> &assignments, Settings &settings) {
    if (!ledger || !settings.is_private("target")) return;
    const Price left(ledger_facts(ledger)["left"]);
    Price both = price_of_fit(samples, ledger, settings);
    if (!both.within(left)) return;  // the library tells it better, before the fit is paid
    both.add(price_of_evaluation(assignments));
    if (both.within(left)) return;
    throw Failure(kUsage,
                  "the fit and the evaluation together: the ledger has too little left for both, "
                  "each of which costs epsilon and delta (left is mu = " +
                      Json(left.mu).dump() + ", needed is mu = " + Json(both.mu).dump() +
                      "); nothing was paid");
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
