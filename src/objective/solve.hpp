#pragma once

#include <optional>

#include "base/control.hpp"
#include "linalg/smooth_minimum.hpp"
#include "objective/left_out.hpp"
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
 *  the norm of the gradient mapping measures how nearly. */
[[nodiscard]] Solution solve(const PreparedProblem &problem, std::optional<double> discrepancy,
                             const Settings &settings, Control &control,
                             const arma::vec &start = {});

[[nodiscard]] Termination termination(linalg::SmoothStop stop);

/** Twice the larger of the norms of the source's fit and the target's own, which for the squared
 *  loss is the ridge fit of least leave-one-out error: a ball that forbids neither. Of perceptrons,
 *  whose weight decay is chosen, the larger norm itself. */
[[nodiscard]] double roomy_radius(const PreparedProblem &problem, const Settings &settings,
                                  Control &control);

/** What stands for "auto" once the target's labels are known: sets the radius, and alpha if it is
 *  `auto` and `chooses_alpha`.
 *
 *  Where the loss has one linear score the source is a quadratic prior of effective size s: it
 *  counts as s rows of the target, alpha = s/(s + n). The target's rows are left out one by one,
 *  and of a grid of (s, ridge) the pair of least charged loss is taken. The ball ends at the fit of
 *  that pair. s is from m (every row counts the same) to a hundredth of a row: never 0, so the
 *  source decides where the target says nothing. For all other losses alpha is that of least loss
 *  on held-out rows.
 *  @return the least charge of left-out rows; none where none has chosen alpha. */
LeftOutCharge choose_auto(PreparedProblem &problem, const Settings &settings, bool chooses_alpha,
                          Control &control);

}  // namespace dpadapt
