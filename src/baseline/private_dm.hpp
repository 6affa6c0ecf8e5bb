#pragma once

#include "baseline/private_moments.hpp"
#include "baseline/weights.hpp"

namespace dpadapt::baseline {

/** Private discrepancy minimization in one shot (after Bassily, Mohri, Suresh 2023): weights of the
 *  public source that minimize the discrepancy (minimize_discrepancy) to the released second
 *  moments of the target, whose labels are not used, and a weighted fit of the source.
 *
 *  Objective, duality gap, iterations and termination are those of the weights' problem with the
 *  released matrix. */
[[nodiscard]] Solution fit_private_dm(const PrivateMoments &call, const Moments &target,
                                      const Limits &limits);

}  // namespace dpadapt::baseline
