#include "cli/two_prices.hpp"

#include "cli/failure.hpp"
#include "cli/ledger.hpp"
#include "cli/number.hpp"
#include "cli/privacy_report.hpp"
#include "cli/statement.hpp"

namespace dpadapt::cli {
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

}  // namespace dpadapt::cli
