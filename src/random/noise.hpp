#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "random/stream.hpp"

namespace dpadapt::random {

/** A sampler: normal or laplace. */
using Draw = std::int64_t (*)(Stream &stream, unsigned bits);

/** Fills `noise` with independent draws. Every 256 coordinates have a stream of their own, so the
 *  result does not depend on the number of threads. */
void fill_with_noise(std::span<std::int64_t> noise, Draw draw, unsigned bits, const Key &key,
                     Purpose purpose, std::uint64_t step, std::size_t threads = 1);

}  // namespace dpadapt::random
