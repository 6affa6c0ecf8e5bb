#include "engine/estimate.hpp"

#include <memory>

#include "engine/elsewhere.hpp"
#include "engine/finite.hpp"
#include "engine/public_rows.hpp"
#include "engine/row_weights.hpp"
#include "engine/settings.hpp"
#include "objective/choose_alpha.hpp"
#include "private/call.hpp"

namespace dpadapt::engine {

Estimate estimate(Problem &problem, const OptionValues &values, Control &control) {
    problem.check_complete();
    Settings settings = make_settings(values, Wanted::discrepancy);
    PrivacySettings &own = settings.privacy;
    problem.check_scores(settings.loss);
    check_row_weights(problem, settings, nullptr);
    const Usage::Hold hold(problem.usage, own.domains != 0);
    problem.admit(own, values);
    problem.follow_budget(settings);
    const PublicRows rows(problem.source(), problem.target(), own.domains);
    const Sample &source = rows.source();
    check_survey(source);
    Estimate result{{}, own.domains, problem.ledger.id(), source.features()};
    if (own.domains == 0) {
        problem.ledger.exposure().unprotected = true;
        const bool unlabelled = settings.discrepancy_kind == DiscrepancyKind::unlabelled;
        if (!rows.has_target_labels() && !unlabelled)
            refuse_unlabelled("discrepancy_kind = labelled");
        const auto kept = std::make_unique<PreparedProblem>(source, rows.target(), settings,
                                                            control, rows.target_features());
        PreparedProblem &prepared = *kept;
        if (rows.has_target_labels()) learn_trust(prepared, settings, false, control);
        result.discrepancy = estimate_discrepancy(prepared, settings, control);
    } else {
        const auto kept = std::make_unique<PrivateCall>(source, rows.target(), settings,
                                                        Wanted::discrepancy, control);
        PrivateCall &call = *kept;
        call.charge(problem.ledger);
        result.discrepancy.value = call.release_discrepancy(nullptr);
        result.deviation = call.plan().find(privacy::ReleaseKind::discrepancy)->deviation();
    }
    check_finite(result.discrepancy);
    return result;
}

void check_usable(const Estimate &given, const PrivacySettings &settings,
                  const privacy::Ledger &ledger) {
    if (settings.domains == 0) return;
    if ((given.domains & settings.domains) != settings.domains)
        throw Error(DPA_E_OPTION,
                    "discrepancy must have been released privately for the same private_domain, "
                    "but was estimated without: the fit would publish it");
    if (given.ledger != ledger.id())
        throw Error(DPA_E_OPTION,
                    "discrepancy was paid from the budget of another problem: pass its "
                    "value by option discrepancy if it is about other people");
}

}  // namespace dpadapt::engine
