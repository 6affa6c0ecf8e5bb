#include <dpadapt/baseline.h>

#include "capi/guard.hpp"
#include "engine/fit.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

const baseline::MethodSpec *method_of(const char *name) {
    return &baseline::find_method(&required(name, "method"));
}

}  // namespace

size_t dpa_baseline_count(void) { return baseline::methods().size(); }

const char *dpa_baseline_name(size_t index) {
    return index < dpa_baseline_count() ? baseline::methods()[index].name : nullptr;
}

const char *dpa_baseline_doc(size_t index) {
    return index < dpa_baseline_count() ? baseline::methods()[index].doc : nullptr;
}

dpa_status dpa_baseline_solve(dpa_problem *problem, const char *method, const dpa_options *options,
                              dpa_solution **out) {
    return guard("dpa_baseline_solve", [&] {
        create(out, [&] {
            Caller caller(options);
            return engine::fit(value_of(problem, "problem"), method_of(method), nullptr,
                               caller.values(), caller);
        });
    });
}

dpa_status dpa_baseline_plan(const dpa_problem *problem, const char *method,
                             const dpa_options *options, dpa_plan **out) {
    return guard("dpa_baseline_plan", [&] {
        create(out, [&] {
            Caller caller(options);
            return engine::plan_fit(value_of(problem, "problem"), method_of(method),
                                    caller.values(), caller);
        });
    });
}
