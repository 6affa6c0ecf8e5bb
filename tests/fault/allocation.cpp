// Replaces every operator new and delete of the process, the library's included, to make chosen
// allocations fail and to count the blocks in use.
#include "allocation.h"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::atomic<std::int64_t> remaining{kNever};
std::atomic<std::int64_t> failures{0};
std::atomic<std::int64_t> live{0};
std::atomic<bool> lasts{false};

void *allocate(std::size_t size, std::size_t alignment) noexcept {
    const std::int64_t left = --remaining;
    if (left == 0 || (left < 0 && lasts)) {
        ++failures;
        return nullptr;
    }
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    void *block = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
    if (block != nullptr) ++live;
    return block;
}

void *allocate_or_throw(std::size_t size, std::size_t alignment) {
    void *block = allocate(size, alignment);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void release(void *block) noexcept {
    if (block != nullptr) --live;
    std::free(block);
}

constexpr std::size_t kDefault = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

void allocation_fail(std::int64_t nth, std::int32_t lasting) {
    if (nth > 0) failures = 0;
    lasts = lasting != 0;
    remaining = nth > 0 ? nth : kNever;
}

std::int64_t allocation_failures() { return failures; }

std::int64_t allocation_live() { return live; }

using std::align_val_t;
using std::nothrow_t;
using std::size_t;

void *operator new(size_t n) { return allocate_or_throw(n, kDefault); }
void *operator new[](size_t n) { return allocate_or_throw(n, kDefault); }
void *operator new(size_t n, const nothrow_t &) noexcept { return allocate(n, kDefault); }
void *operator new[](size_t n, const nothrow_t &) noexcept { return allocate(n, kDefault); }
void *operator new(size_t n, align_val_t a) { return allocate_or_throw(n, size_t(a)); }
void *operator new[](size_t n, align_val_t a) { return allocate_or_throw(n, size_t(a)); }
void *operator new(size_t n, align_val_t a, const nothrow_t &) noexcept {
    return allocate(n, size_t(a));
}
void *operator new[](size_t n, align_val_t a, const nothrow_t &) noexcept {
    return allocate(n, size_t(a));
}
void operator delete(void *block) noexcept { release(block); }
void operator delete[](void *block) noexcept { release(block); }
void operator delete(void *block, size_t) noexcept { release(block); }
void operator delete[](void *block, size_t) noexcept { release(block); }
void operator delete(void *block, align_val_t) noexcept { release(block); }
void operator delete[](void *block, align_val_t) noexcept { release(block); }
void operator delete(void *block, size_t, align_val_t) noexcept { release(block); }
void operator delete[](void *block, size_t, align_val_t) noexcept { release(block); }
void operator delete(void *block, const nothrow_t &) noexcept { release(block); }
void operator delete[](void *block, const nothrow_t &) noexcept { release(block); }
void operator delete(void *block, align_val_t, const nothrow_t &) noexcept { release(block); }
void operator delete[](void *block, align_val_t, const nothrow_t &) noexcept { release(block); }
