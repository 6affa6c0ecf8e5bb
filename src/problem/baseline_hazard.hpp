#pragma once

#include "base/control.hpp"
#include "loss/choice.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt {

/** The cumulative hazard of public rows at their mean score: Breslow's estimate, between which and
 *  the coefficients of `choice` it goes back and forth until both are Cox's. Its pieces have as
 *  many events each. Throws Error(DPA_E_LABEL) if no row has an event. */
[[nodiscard]] loss::CumulativeHazard baseline_hazard(const PreparedSample &rows,
                                                     loss::Choice choice, Control &control);

}  // namespace dpadapt
