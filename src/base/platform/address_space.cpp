#include "base/platform/address_space.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

namespace dpadapt::platform {

bool addresses_are_limited() noexcept {
    rlimit limit{};
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool has_addresses(std::size_t bytes) noexcept {
    void *room = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, bytes);
    return true;
}

}  // namespace dpadapt::platform
