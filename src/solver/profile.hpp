#pragma once

#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** CnvxAdap without privacy: the global minimum of `opt-private-convex` by minimizing the profiled
 *  objective g over the ball ||w|| <= Lambda.
 *
 *  Each step minimizes a quadratic model of g over the ball, then searches the segment to its
 *  minimum. The model's matrix lies between Newton's and the weighted Gram matrix (whose steps are
 *  the exact alternation between weights and predictor) and moves towards Newton's as long as full
 *  steps are taken.
 *
 *  Certificate: g is convex, so g(w) - min g <= gradient . w + Lambda ||gradient|| (Frank-Wolfe
 *  gap). */
[[nodiscard]] Solution solve_profile(const PreparedProblem &problem, double discrepancy,
                                     const Settings &settings, Control &control);

}  // namespace dpadapt
