#include <dpadapt/inspect.h>

#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "engine/estimate.hpp"
#include "schema/unfit.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

std::string joined(const std::vector<std::string> &lines) {
    std::string text;
    for (const std::string &line : lines) text += line + '\n';
    return text;
}

}  // namespace

dpa_status dpa_inspect_private(dpa_problem *problem, const dpa_options *options, char *out,
                               size_t out_len, size_t *needed) {
    return guard("dpa_inspect_private", [&] {
        Caller caller(options);
        fill_text(joined(engine::inspect(value_of(problem, "problem"), caller.values(), caller)),
                  out, out_len, needed);
    });
}

dpa_status dpa_inspect_table(const dpa_schema *schema, const dpa_table *table, char *out,
                             size_t out_len, size_t *needed) {
    return guard("dpa_inspect_table", [&] {
        fill_text(joined(schema::unfit(*value_of(schema, "schema"), *value_of(table, "table"))),
                  out, out_len, needed);
    });
}
