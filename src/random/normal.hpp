#pragma once

#include <cstdint>

#include "random/stream.hpp"

namespace dpadapt::random {

/** floor(2^bits Z) for an exactly standard normal Z, 8 <= bits <= 40. (Karney, ACM Transactions on
 *  Mathematical Software 42(1), 2016, algorithm N.) */
[[nodiscard]] std::int64_t normal(Stream &stream, unsigned bits);

}  // namespace dpadapt::random
