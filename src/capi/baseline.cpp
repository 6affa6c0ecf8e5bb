#include <dpadapt/baseline.h>

#include <string_view>

#include "capi/guard.hpp"
#include "engine/fit.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

const baseline::MethodSpec *method_of(const char *name) {
    return &baseline::find_method(&required(name, "method"));
}

}  // namespace

const char *dpa_baseline_text(size_t index, const char *what) {
    if (index >= baseline::methods().size() || what == nullptr) return nullptr;
    const baseline::MethodSpec &method = baseline::methods()[index];
    const std::string_view wanted(what);
    if (wanted == "name") return method.name;
    return wanted == "meaning" ? method.doc : nullptr;
}

dpa_status dpa_baseline_solve(dpa_problem *problem, const char *method, const dpa_options *options,
                              dpa_solution **out) {
    return guard("dpa_baseline_solve", out, [&] {
        Caller caller(options);
        return engine::fit(value_of(problem, "problem"), method_of(method), nullptr,
                           caller.values(), caller);
    });
}

dpa_status dpa_baseline_plan(const dpa_problem *problem, const char *method,
                             const dpa_options *options, dpa_plan **out) {
    return guard("dpa_baseline_plan", out, [&] {
        Caller caller(options);
        return engine::plan_fit(value_of(problem, "problem"), method_of(method), caller.values(),
                                caller);
    });
}
