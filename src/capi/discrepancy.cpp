#include <dpadapt/discrepancy.h>

#include "capi/arrays.hpp"
#include "capi/caller.hpp"
#include "capi/guard.hpp"
#include "discrepancy/general_estimate.hpp"
#include "private/call.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** The whole estimate, which a private one does not release. */
const Discrepancy &released(const dpa_discrepancy *discrepancy) {
    const dpa_discrepancy &handle = checked(discrepancy, "discrepancy");
    if (handle.domains != 0)
        throw Error(DPA_E_NOT_RELEASABLE, "of a private discrepancy only the value is released");
    return handle.value;
}

const Predictor &maximizer(const dpa_discrepancy *discrepancy) {
    const Predictor &predictor = released(discrepancy).maximizer;
    if (predictor.coefficients.is_empty())
        throw Error(DPA_E_UNSUPPORTED,
                    "the maximizer of this loss is no predictor that is linear in the features");
    return predictor;
}

}  // namespace

dpa_status dpa_discrepancy_estimate(dpa_problem *problem, const dpa_options *options,
                                    dpa_discrepancy **out) {
    return guard("dpa_discrepancy_estimate", [&] {
        dpa_discrepancy *&result = output(out);
        const auto &[source, target] = both_samples(problem);
        const dpa_options defaults;
        const dpa_options &used = options_or_defaults(options, defaults);
        const Settings settings = make_settings(used.values, Wanted::discrepancy);
        Caller caller(used);
        const Usage::Hold hold(problem->usage, settings.privacy.domains != 0);
        auto handle = std::make_unique<dpa_discrepancy>();
        handle->features = source.features();
        handle->domains = settings.privacy.domains;
        handle->ledger = problem->ledger.id();
        if (settings.privacy.domains == 0) {
            problem->ledger.mark_unprotected();
            const PreparedProblem prepared(source, target, settings, caller);
            handle->value = estimate_discrepancy(prepared, settings, caller);
        } else {
            PrivateCall call(source, target, settings, Wanted::discrepancy, caller);
            call.charge(problem->ledger);
            handle->value.value = call.release_discrepancy(nullptr);
            handle->seeded = settings.privacy.unsafe_seed.has_value();
        }
        result = handle.release();
    });
}

void dpa_discrepancy_destroy(dpa_discrepancy *discrepancy) { destroy(discrepancy); }

dpa_status dpa_discrepancy_value(const dpa_discrepancy *discrepancy, double *value) {
    return guard("dpa_discrepancy_value", [&] {
        const Discrepancy &estimate = checked(discrepancy, "discrepancy").value;
        required(value, "value") = estimate.value;
    });
}

dpa_status dpa_discrepancy_bounds(const dpa_discrepancy *discrepancy, double *lower,
                                  double *upper) {
    return guard("dpa_discrepancy_bounds", [&] {
        const Discrepancy &estimate = released(discrepancy);
        if (lower != nullptr) *lower = estimate.lower;
        if (upper != nullptr) *upper = estimate.upper;
    });
}

dpa_status dpa_discrepancy_features(const dpa_discrepancy *discrepancy, size_t *features) {
    return guard("dpa_discrepancy_features", [&] {
        const dpa_discrepancy &handle = checked(discrepancy, "discrepancy");
        required(features, "features") = handle.features;
    });
}

dpa_status dpa_discrepancy_maximizer(const dpa_discrepancy *discrepancy, double *out,
                                     size_t out_len) {
    return guard("dpa_discrepancy_maximizer",
                 [&] { copy_out(maximizer(discrepancy).coefficients, out, out_len); });
}

dpa_status dpa_discrepancy_maximizer_intercept(const dpa_discrepancy *discrepancy, double *value) {
    return guard("dpa_discrepancy_maximizer_intercept",
                 [&] { required(value, "value") = maximizer(discrepancy).intercept; });
}
