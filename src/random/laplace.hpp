#pragma once

#include <cstdint>

#include "random/stream.hpp"

namespace dpadapt::random {

/** floor(2^bits L) for L with exactly the density e^-|l|/2, 8 <= bits <= 40. */
[[nodiscard]] std::int64_t laplace(Stream &stream, unsigned bits);

}  // namespace dpadapt::random
