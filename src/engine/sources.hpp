#pragma once

#include "base/control.hpp"
#include "baseline/method.hpp"
#include "engine/problem.hpp"
#include "engine/public_rows.hpp"

namespace dpadapt::engine {

/** Of several public sources keeps those that help: ordered by the target's loss at the fit of each
 *  alone, the first k whose adaptation does best on target rows that are left out, or the most that
 *  are within one standard error of it. The losses of all are charged at the price of the first
 *  one. */
void choose_sources(const Persons &sources, const Sample &target, const Settings &settings,
                    Control &control, PublicRows &rows);

/** Before a call that reads the samples. Throws Error(DPA_E_INVALID_ARGUMENT) naming a public row
 *  whose weight is negative or not finite, or a sample without any, Error(DPA_E_UNSUPPORTED) for
 *  weights of private rows without a bound, and where the method cannot follow them,
 *  Error(DPA_E_OPTION) for a bound without such weights. Weights of private rows are not read.
 *  @param method  Null for a fit of the objective. */
void check_row_weights(const Problem &problem, const Settings &settings,
                       const baseline::MethodSpec *method);

/** Throws Error(DPA_E_UNSUPPORTED) where a sample has weights: `what` counts all rows alike. */
void refuse_row_weights(const Problem &problem, const char *what);

/** The same, but of a public target whose weights `what` follows they are checked. */
void check_unseen_weights(const Problem &problem, const Settings &settings, const char *what);

}  // namespace dpadapt::engine
