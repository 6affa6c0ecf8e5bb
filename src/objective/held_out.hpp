#pragma once

#include <utility>

#include "base/control.hpp"
#include "objective/left_out.hpp"
#include "problem/prepared_problem.hpp"

namespace dpadapt {

/** The alpha, of a few up to default_alpha, whose fit to the source and three quarters of the
 *  target's rows has the least mean loss on the other quarter. For losses without a quadratic
 *  model: each costs a fit. And that loss. */
[[nodiscard]] std::pair<double, LeftOutCharge> alpha_by_held_out_rows(
    const PreparedProblem &problem, const Settings &settings, double radius, Control &control);

}  // namespace dpadapt
