#pragma once

#include <optional>
#include <vector>

#include "problem/sample.hpp"
#include "solution/predict.hpp"

namespace dpadapt {

/** How far a solution is off on a labelled row. */
struct RowError {
    std::optional<double> size;  ///< |residual|, or minus log probability; none without a meaning
    bool above = false;          ///< of numbers: whether the label is above the prediction
    bool wrong = true;           ///< of classes: whether another one is predicted
    double log_odds = 0.0;       ///< of two classes: of the positive one
    bool positive = false;       ///< whether the label is that one
};

/** Whether the labels are two classes, which have log odds. */
[[nodiscard]] bool has_log_odds(const loss::Choice &choice);

[[nodiscard]] std::vector<RowError> row_errors(const Solution &solution, const Sample &rows,
                                               Evaluation evaluation);

}  // namespace dpadapt
