#include "base/secret.hpp"

#include <cstring>

namespace dpadapt {

void wipe(void *memory, std::size_t size) noexcept {
    // mutant: secrets_left_in_memory
    std::memset(memory, 0, size);
    __asm__ __volatile__("" : : "r"(memory) : "memory");
}

}  // namespace dpadapt
