#include "base/platform/processor.hpp"

#include <cstdint>

#if defined(DPA_HAS_VECTORS)
#include <cpuid.h>
#endif

namespace dpadapt::platform {

#if defined(DPA_HAS_VECTORS)

namespace {

constexpr std::uint32_t bit(unsigned number) { return std::uint32_t{1} << number; }

/** Which registers the system keeps when it changes threads. */
std::uint32_t kept_registers() noexcept {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

}  // namespace

// By hand: not every runtime of Clang has what __builtin_cpu_supports reads.
Vectors vectors_of_this_processor() noexcept {
    constexpr std::uint32_t kAvx = bit(28) | bit(27);  // AVX, and xgetbv may be used
    constexpr std::uint32_t kAvx2 = bit(5);
    constexpr std::uint32_t kAvx512 = bit(16);
    constexpr std::uint32_t kOf32Bytes = bit(1) | bit(2);
    constexpr std::uint32_t kOf64Bytes = kOf32Bytes | bit(5) | bit(6) | bit(7);
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
    std::uint32_t d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kAvx) != kAvx) return Vectors::plain;
    const std::uint32_t kept = kept_registers();
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return Vectors::plain;
    if ((b & kAvx2) == 0 || (kept & kOf32Bytes) != kOf32Bytes) return Vectors::plain;
    const bool wide = (b & kAvx512) != 0 && (kept & kOf64Bytes) == kOf64Bytes;
    return wide ? Vectors::avx512 : Vectors::avx2;
}

#else

Vectors vectors_of_this_processor() noexcept { return Vectors::plain; }

#endif

}  // namespace dpadapt::platform
