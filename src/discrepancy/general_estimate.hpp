#pragma once

#include "discrepancy/estimate.hpp"

namespace dpadapt {

/** max over a ball of |L_target(theta) - L_source(theta)| for any loss, as far as it can be told:
 *  the largest value of ascents from the best of the public predictors, which is a lower bound, and
 *  an upper bound from the bounds of the losses. The maximizer is empty unless the parameters are
 *  the coefficients of one linear score. */
[[nodiscard]] Discrepancy estimate_general_discrepancy(const PreparedProblem &problem,
                                                       const Settings &settings, Control &control);

/** An upper bound of that maximum over the ball of that radius around zero, without a search. */
[[nodiscard]] double general_discrepancy_bound(const PreparedProblem &problem, double radius);

}  // namespace dpadapt
