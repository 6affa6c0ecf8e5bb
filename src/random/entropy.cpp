#include "random/entropy.hpp"

#if defined(__linux__)
#include <sys/random.h>
#else
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif
#endif

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/error.hpp"

namespace dpadapt::random {

ssize_t read_system_random(void *bytes, std::size_t size) noexcept {
#if defined(__linux__)
    return getrandom(bytes, size, 0);
#else
    constexpr std::size_t kMostBytes = 256;  // the limit of getentropy
    const std::size_t count = std::min(size, kMostBytes);
    return getentropy(bytes, count) == 0 ? static_cast<ssize_t>(count) : -1;
#endif
}

void fill_with_entropy(std::span<std::uint8_t> bytes, ReadRandom read) {
    while (!bytes.empty()) {
        const ssize_t count = read(bytes.data(), bytes.size());
        if (count > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        } else if (count == 0 || errno != EINTR) {
            const std::error_code reason(count == 0 ? EIO : errno, std::generic_category());
            throw Error(DPA_E_ENTROPY,
                        "the operating system gave no random bytes: " + reason.message());
        }
    }
}

}  // namespace dpadapt::random
