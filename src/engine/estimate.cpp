#include "engine/estimate.hpp"

#include "engine/finite.hpp"
#include "engine/settings.hpp"
#include "objective/choose_alpha.hpp"
#include "private/call.hpp"

namespace dpadapt::engine {

Estimate estimate(Problem &problem, const OptionValues &values, Control &control) {
    problem.check_complete();
    const Settings settings = make_settings(values, Wanted::discrepancy);
    const PrivacySettings &privacy = settings.privacy;
    const Usage::Hold hold(problem.usage, privacy.domains != 0);
    problem.admit(privacy, values);
    const Sample &source = problem.source();
    Estimate result{{}, privacy.domains, problem.ledger.id(), false, source.features()};
    if (privacy.domains == 0) {
        problem.ledger.exposure().unprotected = true;
        PreparedProblem prepared(source, problem.target(), settings, control);
        learn_trust(prepared, settings, false, control);
        result.discrepancy = estimate_discrepancy(prepared, settings, control);
    } else {
        PrivateCall call(source, problem.target(), settings, Wanted::discrepancy, control);
        call.charge(problem.ledger);
        result.discrepancy.value = call.release_discrepancy(nullptr);
        result.seeded = privacy.unsafe_seed.has_value();
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
    if (given.seeded && !settings.unsafe_seed && !ledger.seeded())
        throw Error(DPA_E_OPTION,
                    "discrepancy was released with unsafe_seed, so it is not private, "
                    "and no fit that uses it can be");
}

}  // namespace dpadapt::engine
