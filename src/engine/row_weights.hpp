#pragma once

#include "baseline/method.hpp"
#include "engine/problem.hpp"

namespace dpadapt::engine {

/** Before a call that reads the samples. Throws Error(DPA_E_INVALID_ARGUMENT) naming a public row
 *  whose weight is negative or not finite, or a sample without any, Error(DPA_E_UNSUPPORTED) for
 *  weights of private rows without a bound, and where the method cannot follow them,
 *  Error(DPA_E_OPTION) for a bound without such weights. Weights of private rows are not read.
 *  @param method  Null for a fit of the objective. */
void check_row_weights(const Problem &problem, const Settings &settings,
                       const baseline::MethodSpec *method);

/** Throws Error(DPA_E_UNSUPPORTED) where a sample has weights: `what` counts all rows alike. */
void refuse_row_weights(const Problem &problem, const char *what);

}  // namespace dpadapt::engine
