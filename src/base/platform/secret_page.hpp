#pragma once

#include <cstddef>

namespace dpadapt::platform {

/** Zeroed memory of its own that is not swapped, if the process may lock memory, and is in no core
 *  file. */
struct SecretPage {
    void *memory = nullptr;
    bool wiped_on_fork = false;  ///< whether a forked child finds zeros there
};
[[nodiscard]] SecretPage take_secret_page(std::size_t size);  // throws std::bad_alloc
void give_back_page(void *memory, std::size_t size) noexcept;

/** The number of this process, never 0; a forked child has another one. */
[[nodiscard]] int process_id() noexcept;

/** Reads at most `size` random bytes of the generator of the operating system, which waits until it
 *  has been seeded after boot; returns how many, or -1 with errno, as getrandom(2). */
std::ptrdiff_t read_system_random(void *bytes, std::size_t size) noexcept;

}  // namespace dpadapt::platform
