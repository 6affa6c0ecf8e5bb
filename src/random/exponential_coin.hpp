#pragma once

#include "base/int128.hpp"
#include "random/stream.hpp"

namespace dpadapt::random {

/** True with probability exactly exp(-numerator / 2^bits), bits <= 96. (Canonne, Kamath and
 *  Steinke, NeurIPS 2020, section 5: from coins whose probabilities are rational.) */
[[nodiscard]] bool exponential_coin(Uint128 numerator, unsigned bits, Stream &stream);

}  // namespace dpadapt::random
