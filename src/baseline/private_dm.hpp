#pragma once

#include "baseline/private_moments.hpp"
#include "baseline/weights.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** Private discrepancy minimization in one shot (after Bassily, Mohri, Suresh 2023): weights of the public source that
 *  minimize the discrepancy (minimize_discrepancy) to the released second moments of the target, whose labels are not used,
 *  and a weighted fit of the source. The call must have been charged.
 *
 *  Objective, duality gap, iterations and termination are those of the weights' problem with the released matrix. */
[[nodiscard]] Solution fit_private_dm(const PrivateMoments &call, const Limits &limits,
                                      privacy::ReleaseTrace *trace = nullptr);

}  // namespace dpadapt::baseline
