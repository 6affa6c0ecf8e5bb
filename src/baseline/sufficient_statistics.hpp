#pragma once

#include "baseline/private_moments.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** Sufficient-statistics perturbation for the squared loss: with the released means Nxx, Nxy of z z' and z y the global
 *  minimum of
 *
 *      alpha L_source(w) + (1 - alpha) (w'Nxx w - 2 w'Nxy) + ridge ||w||^2,  ||w|| <= Lambda,
 *
 *  which noise may make indefinite. alpha = 0 uses the target alone. The call must have been charged. */
[[nodiscard]] Solution fit_sufficient_statistics(const PrivateMoments &call, double alpha,
                                                 privacy::ReleaseTrace *trace = nullptr);

}  // namespace dpadapt::baseline
