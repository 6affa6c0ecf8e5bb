#include "engine/inspect.hpp"

#include <dpadapt/inspect.h>

#include "capi/caller.hpp"
#include "capi/guard.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

dpa_status dpa_inspect_private(dpa_problem *problem, const dpa_options *options, size_t *nonfinite,
                               size_t *scaled, size_t *clamped) {
    return guard("dpa_inspect_private", [&] {
        Caller caller(options);
        const records::Counts found =
            engine::inspect(value_of(problem, "problem"), caller.values(), caller);
        if (nonfinite != nullptr) *nonfinite = found.not_finite;
        if (scaled != nullptr) *scaled = found.scaled;
        if (clamped != nullptr) *clamped = found.clamped_labels;
    });
}
