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

}  // namespace dpadapt::platform
