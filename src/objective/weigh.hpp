#pragma once

#include <span>

#include "privacy/release.hpp"
#include "problem/sample.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** The weights q_i of rows as those of that domain: those of the fit, or any others. NaN where a
 *  loss is; 0 without a label. Throws Error(DPA_E_NOT_RELEASABLE) for a private solution,
 *  Error(DPA_E_UNSUPPORTED) where its weights follow no rule, Error(DPA_E_LABEL) naming the first
 *  row whose label has no meaning.
 *  @param weights  The user's, one for each row, none negative; empty: 1 each. */
[[nodiscard]] std::vector<double> weigh(const Solution &solution, privacy::Domains domain,
                                        const Sample &rows, std::span<const double> weights);

}  // namespace dpadapt
