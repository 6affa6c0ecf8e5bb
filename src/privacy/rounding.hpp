#pragma once

#include <cstdint>
#include <span>

namespace dpadapt::privacy {

/** The certificate of a private sum: the contribution of one record, in grid units `unit`, rounded
 *  towards zero to integers whose squares sum to at most most^2, proven in 128-bit arithmetic
 *  whatever rounding, compiler or processor did before. A longer contribution is shrunk; one that
 *  is not finite becomes zero. most < 2^53. */
void round_to_grid(std::span<const double> contribution, double unit, std::int64_t most,
                   std::span<std::int64_t> rounded);

}  // namespace dpadapt::privacy
