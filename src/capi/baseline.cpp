#include <dpadapt/baseline.h>

#include "baseline/method.hpp"
#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/guard.hpp"
#include "capi/reports.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

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
        dpa_solution *&result = output(out);
        const auto &[source, target] = both_samples(problem);
        const baseline::MethodSpec &spec = baseline::find_method(&required(method, "method"));
        const dpa_options defaults;
        const dpa_options &used = options_or_defaults(options, defaults);
        Settings settings = make_settings(used.values, Wanted::fit);
        settings.general = true;
        if (settings.privacy.domains != 0)
            throw Error(DPA_E_OPTION, std::string("baseline ") + spec.name +
                                          " protects nobody: set private_domain to none");
        Caller caller(used);
        const Usage::Hold hold(problem->usage, false);
        problem->ledger.mark_unprotected();
        const PreparedProblem prepared(source, target, settings, caller);
        auto handle = std::make_unique<dpa_solution>();
        handle->value = baseline::solve_without_privacy(spec, prepared, settings, caller);
        handle->value.privacy = unprotected(source.rows(), target.rows(), source.features());
        result = handle.release();
    });
}
