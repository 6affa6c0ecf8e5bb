#pragma once

#include <vector>

#include "problem/sample.hpp"
#include "problem/settings.hpp"
#include "solution/predict.hpp"

namespace dpadapt {

/** Which rows have no number, label included, that is not finite. */
[[nodiscard]] std::vector<bool> finite_rows(const Sample &rows);

/** Losses of labelled rows; NaN where the row, the prediction or the meaning of the label is
 *  missing. */
[[nodiscard]] std::vector<double> validation_losses(const Solution &candidate, const Sample &rows,
                                                    SelectionLoss loss, Evaluation evaluation);

}  // namespace dpadapt
