#include <dpadapt/inspect.h>

#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "engine/estimate.hpp"
#include "schema/unfit.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

dpa_status dpa_inspect_private(dpa_problem *problem, const dpa_options *options, size_t *nonfinite,
                               size_t *scaled, size_t *clamped) {
    return guard("dpa_inspect_private", [&] {
        Caller caller(options);
        const sums::Counts found =
            engine::inspect(value_of(problem, "problem"), caller.values(), caller);
        if (nonfinite != nullptr) *nonfinite = found.not_finite;
        if (scaled != nullptr) *scaled = found.scaled;
        if (clamped != nullptr) *clamped = found.clamped_labels;
    });
}

dpa_status dpa_inspect_table(const dpa_schema *schema, const dpa_table *table, char *out,
                             size_t out_len, size_t *needed) {
    return guard("dpa_inspect_table", [&] {
        const schema::LabelledSchema &own = *value_of(schema, "schema");
        std::string text;
        for (const std::string &line : schema::unfit(own, *value_of(table, "table")))
            text += line + '\n';
        fill_text(text, out, out_len, needed);
    });
}
