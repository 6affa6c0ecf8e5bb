#include "engine/budget.hpp"

#include <limits>

#include "base/text.hpp"
#include "engine/settings.hpp"
#include "privacy/accountant.hpp"

namespace dpadapt::engine {
namespace {

using privacy::Ledger;

const privacy::Budget &budget_of(const Ledger &ledger) {
    (void)ledger.left();  // that there is one
    return *ledger.budget();
}

privacy::Totals cap(const Ledger &ledger) { return budget_of(ledger).cap.totals(); }
privacy::Totals spent(const Ledger &ledger) { return ledger.spent().totals(); }
privacy::Totals left(const Ledger &ledger) { return ledger.left().totals_below(); }

/** At the budget's delta; infinite where nothing is promised. */
double spent_epsilon(const Ledger &ledger) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double delta = budget_of(ledger).delta;
    if (ledger.seeded()) return kInfinity;
    return privacy::known_epsilon(delta, spent(ledger)).value_or(kInfinity);
}

struct BudgetNumber {
    std::string_view name;
    double (*value)(const Ledger &);
};

constexpr BudgetNumber kNumbers[] = {
    {"epsilon", [](const Ledger &ledger) { return budget_of(ledger).epsilon; }},
    {"delta", [](const Ledger &ledger) { return budget_of(ledger).delta; }},
    {"neighbours",
     [](const Ledger &ledger) { return static_cast<double>(budget_of(ledger).neighbours); }},
    {"mu", [](const Ledger &ledger) { return cap(ledger).mu; }},
    {"laplace_epsilon", [](const Ledger &ledger) { return cap(ledger).laplace_epsilon; }},
    {"pure_epsilon", [](const Ledger &ledger) { return cap(ledger).pure_epsilon; }},
    {"spent_epsilon", spent_epsilon},
    {"spent_mu", [](const Ledger &ledger) { return spent(ledger).mu; }},
    {"spent_laplace_epsilon", [](const Ledger &ledger) { return spent(ledger).laplace_epsilon; }},
    {"spent_pure_epsilon", [](const Ledger &ledger) { return spent(ledger).pure_epsilon; }},
    {"left_mu", [](const Ledger &ledger) { return left(ledger).mu; }},
    {"left_laplace_epsilon", [](const Ledger &ledger) { return left(ledger).laplace_epsilon; }},
    {"left_pure_epsilon", [](const Ledger &ledger) { return left(ledger).pure_epsilon; }},
};

}  // namespace

double budget_number(const Problem &problem, std::string_view name) {
    const Ledger now = problem.ledger;
    for (const BudgetNumber &number : kNumbers)
        if (number.name == name) return number.value(now);
    throw Error(DPA_E_OPTION_NAME, "a budget has no number " + in_quotes(name));
}

PaidBudget make_budget(const OptionValues &values) {
    const Settings settings = make_settings(values, Wanted::fit);
    const PrivacySettings &privacy = settings.privacy;
    if (!privacy.epsilon || !privacy.delta)
        throw Error(DPA_E_OPTION, "options epsilon and delta must be set: they are the budget");
    const double share = discrepancy_share(settings, Wanted::fit, true);
    const privacy::DiscrepancyPrice discrepancy = privacy::price_of_discrepancy(
        *privacy.epsilon, *privacy.delta,
        privacy.laplace_epsilon.value_or(share * *privacy.epsilon), privacy.discrepancy_noise);
    return {privacy.domains,
            privacy::make_budget(*privacy.epsilon, *privacy.delta, discrepancy.laplace_epsilon,
                                 settings.selection.epsilon.value_or(0.0), privacy.neighbours),
            privacy.unit};
}

void set_budget(Problem &problem, const OptionValues &values) {
    const PaidBudget made = make_budget(values);
    const Usage::Hold hold(problem.usage, true);
    if (made.unit) problem.check_unit(*made.unit);
    problem.ledger.bind(made.domains);
    problem.ledger.set_budget(made.budget);
    if (made.unit) problem.fix_unit(*made.unit);
}

void check_price(const privacy::Ledger &ledger, const std::optional<privacy::Budget> &budget,
                 std::span<const privacy::Release> releases) {
    if (ledger.budget()) return ledger.check(releases);
    if (!budget)
        throw Error(DPA_E_OPTION,
                    "options epsilon and delta must be set: private records need a budget");
    privacy::Ledger trial;
    trial.set_budget(*budget);
    trial.check(releases);
}

}  // namespace dpadapt::engine
