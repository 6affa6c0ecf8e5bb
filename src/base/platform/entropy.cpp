#include "base/platform/entropy.hpp"

#if defined(__linux__)
#include <sys/random.h>
#else
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif
#endif

#include <algorithm>

namespace dpadapt::platform {

std::ptrdiff_t read_system_random(void *bytes, std::size_t size) noexcept {
#if defined(__linux__)
    return getrandom(bytes, size, 0);
#else
    constexpr std::size_t kMostBytes = 256;  // the limit of getentropy
    const std::size_t count = std::min(size, kMostBytes);
    return getentropy(bytes, count) == 0 ? static_cast<std::ptrdiff_t>(count) : -1;
#endif
}

}  // namespace dpadapt::platform
