#pragma once

#include "discrepancy/estimate.hpp"

namespace dpadapt {

/** The labelled discrepancy of any loss over the ball ||theta|| <= Lambda (discrepancy_radius, if given; around zero or the
 *  source fit): a lower bound by projected ascent from several starts, which is the value, and an upper bound from the
 *  loss's bounds. The maximizer is there for linear scores of one output only. */
[[nodiscard]] Discrepancy estimate_general_discrepancy(const PreparedProblem &problem,
                                                       const Settings &settings, Control &control);

}  // namespace dpadapt
