#pragma once

#include <vector>

#include "problem/sample.hpp"
#include "problem/settings.hpp"
#include "solution/predict.hpp"

namespace dpadapt {

/** Losses of labelled rows; NaN where the row, the prediction or the meaning of the label is
 *  missing. */
[[nodiscard]] std::vector<double> validation_losses(const Solution &candidate, const Sample &rows,
                                                    SelectionLoss loss, Evaluation evaluation);

}  // namespace dpadapt
