#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace dpadapt {

/** Throws std::bad_alloc where so many doubles cannot be had at once: better before a call is paid
 *  for than after. */
inline void check_memory(double numbers) {
    if (!(numbers < static_cast<double>(PTRDIFF_MAX) / sizeof(double))) throw std::bad_alloc();
    // Volatile: else the compiler takes the pair of calls away.
    void *volatile trial = std::malloc(static_cast<std::size_t>(numbers) * sizeof(double) + 1);
    if (trial == nullptr) throw std::bad_alloc();
    std::free(trial);
}

}  // namespace dpadapt
