#include <dpadapt/discrepancy.h>

#include "capi/guard.hpp"
#include "capi/matrix.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** The whole estimate, which a private one does not release. */
const Discrepancy &released(const dpa_discrepancy *discrepancy) {
    const engine::Estimate &estimate = value_of(discrepancy, "discrepancy");
    if (estimate.domains != 0)
        throw Error(DPA_E_NOT_RELEASABLE, "of a private discrepancy only the value is released");
    return estimate.discrepancy;
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
        create(out, [&] {
            Caller caller(options);
            return engine::estimate(value_of(problem, "problem"), caller.values(), caller);
        });
    });
}

void dpa_discrepancy_destroy(dpa_discrepancy *discrepancy) { destroy(discrepancy); }

dpa_status dpa_discrepancy_value(const dpa_discrepancy *discrepancy, double *value) {
    return guard("dpa_discrepancy_value", [&] {
        const engine::Estimate &estimate = value_of(discrepancy, "discrepancy");
        required(value, "value") = estimate.discrepancy.value;
    });
}

dpa_status dpa_discrepancy_deviation(const dpa_discrepancy *discrepancy, double *deviation) {
    return guard("dpa_discrepancy_deviation", [&] {
        const engine::Estimate &estimate = value_of(discrepancy, "discrepancy");
        required(deviation, "deviation") = estimate.deviation;
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
        const engine::Estimate &estimate = value_of(discrepancy, "discrepancy");
        required(features, "features") = estimate.features;
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
