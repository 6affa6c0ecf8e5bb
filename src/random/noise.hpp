#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "random/stream.hpp"

namespace dpadapt::random {

/** A sampler: normal or laplace. */
using Draw = std::int64_t (*)(Stream &stream, unsigned bits);

/** Fills `noise` with independent draws. Every 256 coordinates have a stream of their own, so the
 *  result does not depend on the number of threads. */
void fill_with_noise(std::span<std::int64_t> noise, Draw draw, unsigned bits, const Key &key,
                     Purpose purpose, std::uint64_t step, std::size_t threads = 1);

/** floor(2^bits Z) for an exactly standard normal Z, 8 <= bits <= 40. (Karney, ACM Transactions on
 *  Mathematical Software 42(1), 2016, algorithm N.) */
[[nodiscard]] std::int64_t normal(Stream &stream, unsigned bits);

/** floor(2^bits L) for L with exactly the density e^-|l|/2, 8 <= bits <= 40. */
[[nodiscard]] std::int64_t laplace(Stream &stream, unsigned bits);

/** True with probability exactly exp(-numerator / 2^bits), bits <= 96. (Canonne, Kamath and
 *  Steinke, NeurIPS 2020, section 5: from coins whose probabilities are rational.) */
[[nodiscard]] bool exponential_coin(Uint128 numerator, unsigned bits, Stream &stream);

}  // namespace dpadapt::random
