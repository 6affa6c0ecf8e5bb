#include "engine/finite.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

#include "base/error.hpp"

namespace dpadapt::engine {
namespace {

bool is_finite(double value) { return std::isfinite(value); }
bool is_weight(double value) { return value >= 0.0 && is_finite(value); }

[[noreturn]] void fail(const char *what) {
    throw Error(DPA_E_NUMERICAL, std::string(what) +
                                     " beyond double precision: scale the data, or "
                                     "choose less extreme options");
}

}  // namespace

void check_finite(const Solution &solution, bool has_objective) {
    for (const std::vector<double> *values :
         {&solution.coefficients, &solution.intercept, &solution.parameters})
        if (!std::all_of(values->begin(), values->end(), is_finite)) fail("the predictor is");
    for (const std::vector<double> *weights : {&solution.source_weights, &solution.target_weights})
        if (!std::all_of(weights->begin(), weights->end(), is_weight)) fail("the weights are");
    if (std::isinf(solution.objective) || (has_objective && std::isnan(solution.objective)))
        fail("the objective is");
}

// An upper bound may be infinite: nobody knows one.
void check_finite(const Discrepancy &discrepancy) {
    const Predictor &maximizer = discrepancy.maximizer;
    if (!is_finite(discrepancy.value) || !is_finite(discrepancy.lower) ||
        std::isnan(discrepancy.upper) || !maximizer.coefficients.is_finite() ||
        !is_finite(maximizer.intercept))
        fail("the discrepancy is");
}

}  // namespace dpadapt::engine
