#include <dpadapt/inspect.h>

#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/guard.hpp"
#include "records/reader.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

dpa_status dpa_inspect_private(dpa_problem *problem, const dpa_options *options, size_t *nonfinite,
                               size_t *scaled, size_t *clamped) {
    return guard("dpa_inspect_private", [&] {
        const auto &[source, target] = both_samples(problem);
        const dpa_options defaults;
        const dpa_options &used = options_or_defaults(options, defaults);
        const Settings settings = make_settings(used.values, Wanted::fit);
        if (settings.privacy.domains == 0)
            throw Error(DPA_E_OPTION, "option private_domain is none: no record is private");
        Caller caller(used);
        const Usage::Hold hold(problem->usage, true);
        const PrivateProblem prepared(source, target, settings, caller);
        checked(problem, "problem").ledger.mark_inspected();
        records::Counts found;
        for (const privacy::Domains domain : {privacy::kSource, privacy::kTarget})
            if (prepared.is_private(domain))
                found.merge(
                    records::Reader(prepared, domain).sum(records::CountTask{prepared.choice()}));
        if (nonfinite != nullptr) *nonfinite = found.not_finite;
        if (scaled != nullptr) *scaled = found.scaled;
        if (clamped != nullptr) *clamped = found.clamped_labels;
    });
}
