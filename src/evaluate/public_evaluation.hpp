#pragma once

#include "evaluate/evaluation.hpp"

namespace dpadapt::evaluate {

/** The ordinary errors on public rows, all finite. Throws Error(DPA_E_LABEL) for a label without a
 *  meaning, Error(DPA_E_NUMERICAL) for an error that is not finite. */
[[nodiscard]] Measured evaluate_publicly(const Sample &rows,
                                         std::span<const Solution *const> solutions,
                                         double confidence);

}  // namespace dpadapt::evaluate
