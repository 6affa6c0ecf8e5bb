#pragma once

#include <cstddef>
#include <memory>
#include <new>
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

/** The same of numbers that nobody sets to zero before they are written. */
template <typename T>
struct UnsetAllocator : WipingAllocator<T> {
    template <typename Other>
    struct rebind {  // NOLINT(readability-identifier-naming): the name of the standard
        using other = UnsetAllocator<Other>;
    };
    template <typename Other>
    void construct(Other *place) noexcept {
        ::new (static_cast<void *>(place)) Other;
    }
};

/** For private records, sums of them, and noise: a later leak of the memory finds nothing. */
template <typename T>
using SecretVector = std::vector<T, WipingAllocator<T>>;

/** For whoever writes all of it: resizing leaves it as it is. */
template <typename T>
using UnsetSecretVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace dpadapt
