#pragma once

#include <cstdint>

namespace dpadapt {

/** 128-bit integers, for sums of squares and products that must be exact. */
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/** Smallest n with n * n >= value, for value <= 2^126. */
[[nodiscard]] std::uint64_t ceil_sqrt(Uint128 value);

/** Largest n with n * n <= value, for value <= 2^126. */
[[nodiscard]] std::uint64_t floor_sqrt(Uint128 value);

}  // namespace dpadapt
