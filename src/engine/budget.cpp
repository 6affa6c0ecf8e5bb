#include "engine/budget.hpp"

#include "engine/settings.hpp"

namespace dpadapt::engine {

void set_budget(Problem &problem, const OptionValues &values) {
    const Settings settings = make_settings(values, Wanted::fit);
    const Usage::Hold hold(problem.usage, true);
    const PrivacySettings &privacy = settings.privacy;
    if (!privacy.epsilon || !privacy.delta)
        throw Error(DPA_E_OPTION, "options epsilon and delta must be set: they are the budget");
    if (privacy.domains == 0)
        throw Error(DPA_E_OPTION, "option private_domain is none: nothing needs a budget");
    const double share = discrepancy_share(settings, Wanted::fit, true);
    const privacy::Budget budget =
        privacy::make_budget(*privacy.epsilon, *privacy.delta,
                             privacy.laplace_epsilon.value_or(share * *privacy.epsilon),
                             settings.selection.epsilon.value_or(0.0));
    problem.ledger.bind(privacy.domains);
    problem.ledger.set_budget(budget);
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
