#include <dpadapt/discrepancy.h>

#include <string_view>

#include "base/text.hpp"
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

double number_of(const dpa_discrepancy *discrepancy, std::string_view name) {
    const engine::Estimate &estimate = value_of(discrepancy, "discrepancy");
    if (name == "value") return estimate.discrepancy.value;
    if (name == "deviation") return estimate.deviation;
    if (name == "lower") return released(discrepancy).lower;
    if (name == "upper") return released(discrepancy).upper;
    if (name == "labelled_bound") {
        if (estimate.discrepancy.labelled) return *estimate.discrepancy.labelled;
        throw Error(DPA_E_UNSUPPORTED,
                    "a bound of the labelled discrepancy needs option labelling_disagreement");
    }
    if (name == "features") return static_cast<double>(estimate.features);
    if (name == "intercept") return maximizer(discrepancy).intercept;
    throw Error(DPA_E_OPTION_NAME, "a discrepancy has no number " + in_quotes(name));
}

}  // namespace

dpa_status dpa_discrepancy_estimate(dpa_problem *problem, const dpa_options *options,
                                    dpa_discrepancy **out) {
    return guard("dpa_discrepancy_estimate", out, [&] {
        Caller caller(options);
        return engine::estimate(value_of(problem, "problem"), caller.values(), caller);
    });
}

void dpa_discrepancy_destroy(dpa_discrepancy *discrepancy) { destroy(discrepancy); }

dpa_status dpa_discrepancy_value(const dpa_discrepancy *discrepancy, const char *name,
                                 double *value) {
    return guard("dpa_discrepancy_value", [&] {
        required(value, "value") = number_of(discrepancy, &required(name, "name"));
    });
}

dpa_status dpa_discrepancy_maximizer(const dpa_discrepancy *discrepancy, double *out,
                                     size_t out_len) {
    return guard("dpa_discrepancy_maximizer",
                 [&] { copy_out(maximizer(discrepancy).coefficients, out, out_len); });
}
