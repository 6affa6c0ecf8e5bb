#include "engine/inspect.hpp"

#include "engine/settings.hpp"

namespace dpadapt::engine {

Neutralised inspect(Problem &problem, const OptionValues &values, Control &control) {
    problem.check_complete();
    const Settings settings = make_settings(values, Wanted::fit);
    if (settings.privacy.domains == 0)
        throw Error(DPA_E_OPTION, "option private_domain is none: no record is private");
    const Usage::Hold hold(problem.usage, true);
    const PrivateProblem prepared(problem.source(), problem.target(), settings, control);
    problem.ledger.mark_inspected();
    Neutralised found;
    for (const privacy::Domains domain : {privacy::kSource, privacy::kTarget})
        if (prepared.is_private(domain)) (void)prepared.private_rows(domain, {}, &found);
    return found;
}

}  // namespace dpadapt::engine
