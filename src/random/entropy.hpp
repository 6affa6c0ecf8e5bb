#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace dpadapt::random {

/** Reads at most `size` random bytes; returns how many, or -1 with errno, as getrandom(2). */
using ReadRandom = ssize_t (*)(void *bytes, std::size_t size);

/** The generator of the operating system; waits until it has been seeded after boot. */
ssize_t read_system_random(void *bytes, std::size_t size) noexcept;

/** Fills all bytes, or throws Error(DPA_E_ENTROPY): there is no weaker source to fall back on. */
void fill_with_entropy(std::span<std::uint8_t> bytes, ReadRandom read = read_system_random);

}  // namespace dpadapt::random
