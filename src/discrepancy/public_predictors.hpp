#pragma once

#include <vector>

#include "loss/choice.hpp"
#include "problem/preprocess.hpp"

namespace dpadapt {

/** Centre of the ball of a discrepancy among the parameters of any loss; `fit` is that of the
 *  public sample, empty if there is none. Throws Error(DPA_E_OPTION) for coefficients where the
 *  parameters are no linear predictor. */
[[nodiscard]] arma::vec center_of_parameters(const Preprocess &preprocess,
                                             const loss::Choice &choice, std::size_t parameters,
                                             const arma::vec &fit, const Settings &settings);

/** H_0, points of the ball that public data alone decide: the centre; 1/4, 1/2, 1 and 2 times the
 *  fit and its negative, projected on the ball; random directions at random distances, always the
 *  same. All are different. */
[[nodiscard]] std::vector<arma::vec> public_predictors(const arma::vec &center, double radius,
                                                       const arma::vec &fit);

}  // namespace dpadapt
