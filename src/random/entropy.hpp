#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/platform/entropy.hpp"

namespace dpadapt::random {

/** Reads at most `size` random bytes; returns how many, or -1 with errno, as getrandom(2). */
using ReadRandom = std::ptrdiff_t (*)(void *bytes, std::size_t size);

using platform::read_system_random;

/** Fills all bytes, or throws Error(DPA_E_ENTROPY): there is no weaker source to fall back on. */
void fill_with_entropy(std::span<std::uint8_t> bytes, ReadRandom read = read_system_random);

}  // namespace dpadapt::random
