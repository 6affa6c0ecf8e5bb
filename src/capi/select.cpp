#include <dpadapt/select.h>

#include <limits>
#include <string_view>

#include "base/text.hpp"
#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "engine/candidates.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

double number_of(const engine::Search &search, std::string_view name, std::size_t index) {
    if (name == "candidates") return static_cast<double>(search.count());
    if (name == "chosen") return static_cast<double>(search.chosen());
    if (name != "loss") throw Error(DPA_E_OPTION_NAME, "a search has no number " + in_quotes(name));
    const std::optional<double> mean = search.candidate(index).loss;
    if (!mean)
        throw Error(DPA_E_NOT_RELEASABLE,
                    "of a selection by private rows only the chosen index is released");
    return *mean;
}

}  // namespace

dpa_status dpa_select(dpa_problem *validation, const dpa_solution *const *candidates, size_t count,
                      const dpa_options *options, size_t *chosen) {
    return guard("dpa_select", [&] {
        Caller caller(options);
        engine::Problem &rows = value_of(validation, "validation");
        const std::vector<const Solution *> list =
            solutions_of(candidates, count, std::numeric_limits<std::int32_t>::max());
        std::size_t &result = required(chosen, "chosen");  // before anything is paid
        result = engine::select(rows, list, caller.values(), caller);
    });
}

dpa_status dpa_search_create(dpa_search **out) {
    return guard("dpa_search_create", [&] { create(out); });
}

void dpa_search_destroy(dpa_search *search) { destroy(search); }

dpa_status dpa_search_add(dpa_search *search, const char *option, const char *values) {
    return guard("dpa_search_add", [&] {
        value_of(search, "search").add(&required(option, "option"), &required(values, "values"));
    });
}

dpa_status dpa_search_value(const dpa_search *search, const char *name, size_t index,
                            double *value) {
    return guard("dpa_search_value", [&] {
        required(value, "value") =
            number_of(value_of(search, "search"), &required(name, "name"), index);
    });
}

dpa_status dpa_search_run(dpa_search *search, dpa_problem *problem, dpa_problem *validation,
                          const char *method, const dpa_options *options, dpa_solution **out) {
    return guard("dpa_search_run", out, [&] {
        engine::Search &own = value_of(search, "search");
        engine::Problem &fitted = value_of(problem, "problem");
        engine::Problem &rows = value_of(validation, "validation");
        Caller caller(options);
        const baseline::MethodSpec *spec =
            method == nullptr ? nullptr : &baseline::find_method(method);
        return own.run(fitted, rows, spec, caller.values(), caller);
    });
}

dpa_status dpa_search_setting(const dpa_search *search, size_t index, const char *option, char *out,
                              size_t out_len, size_t *needed) {
    return guard("dpa_search_setting", [&] {
        const engine::Search &own = value_of(search, "search");
        fill_text(own.setting(index, &required(option, "option")), out, out_len, needed);
    });
}

dpa_status dpa_search_reason(const dpa_search *search, size_t index, dpa_status *status, char *out,
                             size_t out_len, size_t *needed) {
    return guard("dpa_search_reason", [&] {
        const auto &candidate = value_of(search, "search").candidate(index);
        if (status != nullptr) *status = candidate.status;
        fill_text(candidate.reason, out, out_len, needed);
    });
}
