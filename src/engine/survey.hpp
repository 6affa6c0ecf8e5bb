#pragma once

#include <optional>
#include <vector>

#include "baseline/method.hpp"
#include "problem/preprocess.hpp"
#include "problem/sample.hpp"
#include "problem/settings.hpp"

namespace dpadapt::engine {

/** A public source that stays elsewhere, as methods read it: all of its rows with a label, in an
 *  order that their contents decide, or, where they are too many, a sample that stands for a
 *  Population. One pass. Throws Error(DPA_E_NONFINITE) where a number is not finite,
 *  Error(DPA_E_LABEL) where no row has a label. */
[[nodiscard]] Sample survey(const Sample &elsewhere);

/** The places of about that many of the rows. Neither units nor the order of rows or columns matter
 *  to which they are and in which order, as far as rounding allows: hashes of the numbers in units
 *  of deviations decide. Of rows that are alike as many are drawn as of others. */
[[nodiscard]] std::vector<std::size_t> draw_rows(const Sample &rows, const ColumnMeans &means,
                                                 std::size_t about);

/** Some of many labelled rows that are here, which stand for a Population of them all, where that
 *  costs a private fit nothing: of the squared loss, whose moments and coordinates are those of all
 *  rows. Else none. Borrows the source. */
[[nodiscard]] std::optional<Sample> draw_source(const Sample &source, const Settings &settings);

/** Throws Error(DPA_E_UNSUPPORTED) for what needs rows that are not in memory.
 *  @param method  Null, or a baseline. */
void check_survey(const Sample &source, const Settings &settings,
                  const baseline::MethodSpec *method);

/** The same for a discrepancy. */
void check_survey(const Sample &source);

}  // namespace dpadapt::engine
