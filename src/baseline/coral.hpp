#pragma once

#include "baseline/private_moments.hpp"
#include "problem/prepared_problem.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** Correlation alignment (CORAL; Sun, Feng and Saenko, 2016): source rows are mapped by (C_S +
 *  I)^(-1/2) (C_T + I)^(1/2), with the covariances of the features in preprocessed coordinates, so
 *  that they vary as target rows do, and a fit of the squared loss to them is the result. Labels of
 *  the target have no part. */
[[nodiscard]] Solution coral(const PreparedProblem &problem, const Settings &settings,
                             Control &control);

/** The same with the released second moments of the private target, and with the mean that stands
 *  in them beside the constant. */
[[nodiscard]] Solution fit_private_coral(const PrivateMoments &call, const Moments &target);

}  // namespace dpadapt::baseline
