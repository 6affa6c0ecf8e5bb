#pragma once

#include "records/run.hpp"

namespace dpadapt {

/** The sum of the private records' weights, in units of their bound, with noise: what takes the
 *  place of their number where sums become means. A record without a label has none. In
 *  [1, number of records], and not less than a deviation of the noise. */
[[nodiscard]] double release_weight_sum(const PrivateRun &run);

}  // namespace dpadapt
