#pragma once

#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** The part of a solution that predicts: linear scores become coefficients in the user's
 *  features. */
void describe_predictor(const Preprocess &preprocess, const loss::Choice &choice,
                        const arma::vec &theta, Solution &solution);

/** The numbers of the objective and the bounds of the records. */
[[nodiscard]] UsedSettings used_settings(const Hyperparameters &hyper, double discrepancy,
                                         const Clipping &clipping);

}  // namespace dpadapt
