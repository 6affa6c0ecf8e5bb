#pragma once

#include <cstddef>

namespace dpadapt::platform {

/** Reads at most `size` random bytes of the generator of the operating system, which waits until it
 *  has been seeded after boot; returns how many, or -1 with errno, as getrandom(2). */
std::ptrdiff_t read_system_random(void *bytes, std::size_t size) noexcept;

}  // namespace dpadapt::platform
