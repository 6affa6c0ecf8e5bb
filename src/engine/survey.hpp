#pragma once

#include <optional>

#include "baseline/method.hpp"
#include "problem/sample.hpp"
#include "problem/settings.hpp"

namespace dpadapt::engine {

/** A public source that stays elsewhere, as methods read it: all of its rows with a label, in an
 *  order that their contents decide, or, where they are too many, a sample that stands for a
 *  Population. One pass. Throws Error(DPA_E_NONFINITE) where a number is not finite,
 *  Error(DPA_E_LABEL) where no row has a label. */
[[nodiscard]] Sample survey(const Sample &elsewhere);

/** The same of labelled rows that are here, where they are many times those of a sample, and that
 *  costs the private fit nothing: of the squared loss, whose moments are of all rows. Else none.
 */
[[nodiscard]] std::optional<Sample> survey_here(const Sample &source, const Settings &settings);

/** Throws Error(DPA_E_UNSUPPORTED) for what needs rows that are not in memory.
 *  @param method  Null, or a baseline. */
void check_survey(const Sample &source, const Settings &settings,
                  const baseline::MethodSpec *method);

/** The same for a discrepancy. */
void check_survey(const Sample &source);

}  // namespace dpadapt::engine
