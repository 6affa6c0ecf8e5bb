#pragma once

#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** NCnvxAdap without privacy: a stationary point of `opt-private-non-convex` by monotone descent
 *  from `start`, or the source fit if it is empty; see GeneralObjective. Where every record keeps
 *  its reference weight and the loss is convex the result is a global minimum, and its Frank-Wolfe
 *  gap is reported as duality gap; else only the norm of the gradient mapping tells how nearly
 *  stationary it is. */
[[nodiscard]] Solution solve_general(const PreparedProblem &problem,
                                     std::optional<double> discrepancy, const Settings &settings,
                                     Control &control, const arma::vec &start = {});

}  // namespace dpadapt
