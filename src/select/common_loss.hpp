#pragma once

#include <span>

#include "loss/choice.hpp"
#include "problem/settings.hpp"

namespace dpadapt::select {

/** The one measure by which all candidates are compared; never `automatic`. Throws
 *  Error(DPA_E_OPTION) where auto has no answer, Error(DPA_E_UNSUPPORTED) for a candidate that
 *  cannot be measured so. */
[[nodiscard]] SelectionLoss common_loss(std::span<const loss::Choice> candidates,
                                        SelectionLoss wanted);

}  // namespace dpadapt::select
