#pragma once

#include <optional>
#include <span>
#include <vector>

#include "linalg/matrix_view.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** Throws Error(DPA_E_UNSUPPORTED) for other losses. */
void check_survival(const Solution &solution);

/** The probability of every row to be without an event up to each time, rows x times, column after
 *  column; NaN where nothing is known. With a confidence the lower ends of intervals around the
 *  target's own estimate, which must be there, then the upper ones. */
[[nodiscard]] std::vector<double> survival(const Solution &solution, const linalg::MatrixView &x,
                                           std::span<const double> times,
                                           std::optional<double> confidence);

}  // namespace dpadapt
