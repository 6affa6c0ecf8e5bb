#pragma once

#include "baseline/method.hpp"
#include "problem/sample.hpp"
#include "problem/settings.hpp"

namespace dpadapt::engine {

/** A public source that stays elsewhere, as methods read it: all of its rows with a label, in an
 *  order that their contents decide, or, where they are too many, a sample that stands for a
 *  Population. One pass. Throws Error(DPA_E_NONFINITE) where a number is not finite,
 *  Error(DPA_E_LABEL) where no row has a label. */
[[nodiscard]] Sample survey(const Sample &elsewhere);

/** Throws Error(DPA_E_UNSUPPORTED) for what needs rows that are not in memory.
 *  @param method  Null, or a baseline. */
void check_survey(const Sample &source, const Settings &settings,
                  const baseline::MethodSpec *method);

/** The same for a discrepancy. */
void check_survey(const Sample &source);

}  // namespace dpadapt::engine
