#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace dpadapt {

/** Zeros that the compiler does not leave out, though nobody reads them. */
void wipe(void *memory, std::size_t size) noexcept;

/** Wipes what is given back. */
template <typename T>
struct WipingAllocator {
    using value_type = T;

    WipingAllocator() = default;
    template <typename Other>
    WipingAllocator(const WipingAllocator<Other> & /*other*/) noexcept {}

    [[nodiscard]] T *allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
    void deallocate(T *memory, std::size_t count) noexcept {
        wipe(memory, count * sizeof(T));
        std::allocator<T>().deallocate(memory, count);
    }

    bool operator==(const WipingAllocator & /*other*/) const = default;
};

/** For private records, sums of them, and noise: a later leak of the memory finds nothing. */
template <typename T>
using SecretVector = std::vector<T, WipingAllocator<T>>;

}  // namespace dpadapt
