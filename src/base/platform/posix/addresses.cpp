#include <sys/mman.h>
#include <sys/resource.h>

#include "base/platform/process.hpp"

namespace dpadapt::platform {

namespace {

bool is_limited(int resource) noexcept {
    rlimit limit{};
    return getrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &limit) == 0 &&
           limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

bool addresses_are_limited() noexcept { return is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA); }

bool has_addresses(std::size_t bytes) noexcept {
    void *room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, bytes);
    return true;
}

}  // namespace dpadapt::platform
