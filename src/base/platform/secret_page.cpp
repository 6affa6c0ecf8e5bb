#include "base/platform/secret_page.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

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

}  // namespace dpadapt::platform
