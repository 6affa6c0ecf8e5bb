#include "engine/inspect.hpp"

#include <memory>

#include "engine/public_rows.hpp"
#include "engine/settings.hpp"
#include "records/reader.hpp"

namespace dpadapt::engine {

records::Counts inspect(Problem &problem, const OptionValues &values, Control &control) {
    problem.check_complete();
    const Settings settings = make_settings(values, Wanted::fit);
    if (settings.privacy.domains == 0)
        throw Error(DPA_E_OPTION, "option private_domain is none: no record is private");
    const Usage::Hold hold(problem.usage, true);
    if (problem.locked())
        throw Error(DPA_E_STATE, "the problem is locked: its private records stay unseen");
    if ((settings.privacy.domains & privacy::kTarget) != 0 && problem.target().place() != nullptr &&
        problem.target().persons() != nullptr)
        throw Error(DPA_E_UNSUPPORTED,
                    "the target's persons are elsewhere: an inspection counts rows, and a sum "
                    "there counts persons");
    const PublicRows rows(problem.source(), problem.target(), settings.privacy.domains);
    const auto kept =
        std::make_unique<PrivateProblem>(rows.source(), rows.target(), settings, control);
    const PrivateProblem &prepared = *kept;
    problem.ledger.exposure().inspected = true;
    records::Counts found;
    for (const privacy::Domains domain : {privacy::kSource, privacy::kTarget})
        if (prepared.is_private(domain))
            found.merge(
                records::Reader(prepared, domain).sum(records::CountTask{prepared.choice()}));
    return found;
}

}  // namespace dpadapt::engine
