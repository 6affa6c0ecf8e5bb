#include "cli/memory_reserve.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace dpadapt::cli {
namespace {

constexpr std::size_t kReserve = 1U << 20U;  // a mapping of its own, which free() gives back

std::atomic<void *> reserve = nullptr;

void give_back() {
    void *kept = reserve.exchange(nullptr);
    if (kept == nullptr) throw std::bad_alloc();
    std::free(kept);
}

}  // namespace

void keep_memory_reserve() {
    reserve = std::malloc(kReserve);
    std::set_new_handler(give_back);
}

}  // namespace dpadapt::cli
