#pragma once

#include <span>
#include <vector>

#include "problem/sample.hpp"
#include "problem/settings.hpp"
#include "solution/predict.hpp"

namespace dpadapt::select {

/** The one measure by which all candidates are compared; never `automatic`. Throws
 *  Error(DPA_E_OPTION) where auto has no answer, Error(DPA_E_UNSUPPORTED) for a candidate that
 *  cannot be measured so. */
[[nodiscard]] SelectionLoss common_loss(std::span<const loss::Choice> candidates,
                                        SelectionLoss wanted);

/** Losses of labelled rows; NaN where the row, the prediction or the meaning of the label is
 *  missing. */
[[nodiscard]] std::vector<double> validation_losses(const Solution &candidate, const Sample &rows,
                                                    SelectionLoss loss, Evaluation evaluation);

}  // namespace dpadapt::select
