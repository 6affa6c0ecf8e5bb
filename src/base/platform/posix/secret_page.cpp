#include "base/platform/secret_page.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#if defined(__linux__)
#include <sys/syscall.h>
#if defined(__GLIBC__)
#define DPA_HAS_GETRANDOM __GLIBC_PREREQ(2, 25)
#else
#define DPA_HAS_GETRANDOM 1
#endif
#if DPA_HAS_GETRANDOM
#include <sys/random.h>
#endif
#elif defined(__APPLE__)
#include <sys/random.h>
#endif

namespace dpadapt::platform {

SecretPage take_secret_page(std::size_t size) {
    SecretPage page;
    page.memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page.memory == MAP_FAILED) throw std::bad_alloc();
    // Neither swap nor a core file: where the limits of the process allow no lock, it does without.
    static_cast<void>(mlock(page.memory, size));
#if defined(MADV_DONTDUMP)
    static_cast<void>(madvise(page.memory, size, MADV_DONTDUMP));
#endif
#if defined(MADV_WIPEONFORK)
    page.wiped_on_fork = madvise(page.memory, size, MADV_WIPEONFORK) == 0;
#endif
    return page;
}

void give_back_page(void *memory, std::size_t size) noexcept { munmap(memory, size); }

int process_id() noexcept { return getpid(); }

std::ptrdiff_t read_system_random(void *bytes, std::size_t size) noexcept {
#if defined(__linux__) && DPA_HAS_GETRANDOM
    return getrandom(bytes, size, 0);
#elif defined(__linux__)
    return syscall(SYS_getrandom, bytes, size, 0);
#else
    constexpr std::size_t kMostBytes = 256;  // the limit of getentropy
    const std::size_t count = std::min(size, kMostBytes);
    return getentropy(bytes, count) == 0 ? static_cast<std::ptrdiff_t>(count) : -1;
#endif
}

}  // namespace dpadapt::platform
