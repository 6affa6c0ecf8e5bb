#pragma once

#include <optional>

#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** CnvxAdap and NCnvxAdap without privacy: minimizes the objective over the ball ||theta|| <=
 *  Lambda with the weights profiled out, see WeightedObjective, from `start`, or, if it is
 *  empty, from a fit that least squares give.
 *
 *  Where the objective is convex, that is with the convex penalty or where a convex loss keeps the
 *  reference weights, the result is a global minimum with a certificate, the duality gap
 *  gradient . theta + Lambda ||gradient|| of Frank and Wolfe. Else it is a stationary point, and
 *  the norm of the gradient mapping tells how nearly. */
[[nodiscard]] Solution solve(const PreparedProblem &problem, std::optional<double> discrepancy,
                             const Settings &settings, Control &control,
                             const arma::vec &start = {});

}  // namespace dpadapt
