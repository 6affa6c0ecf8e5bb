#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dpadapt::sums {

/** The certificate of a private sum: the contribution of one record, in grid units `unit`, rounded
 *  towards zero to integers whose squares sum to at most most^2, proven in 128-bit arithmetic
 *  whatever rounding, compiler or processor did before. A longer contribution is shrunk; one that
 *  is not finite becomes zero. most < 2^53. */
void round_to_grid(std::span<const double> contribution, double unit, std::int64_t most,
                   std::span<std::int64_t> rounded);

/** Adds to `sums` what round_to_grid makes of factor[i] times the i-th of some rows, one after
 *  another of sums.size() numbers each: the same integers, many records in one go. */
void add_multiples(std::span<const double> factors, const double *rows, double unit,
                   std::int64_t most, std::span<std::int64_t> sums);

}  // namespace dpadapt::sums

/** Eight numbers at a time, rounded to a grid of less than 2^31 units on either side. */
namespace dpadapt::sums::lanes {

inline constexpr std::size_t kLanes = 8;
using Reals = double __attribute__((vector_size(kLanes * sizeof(double))));
using Integers = std::int64_t __attribute__((vector_size(kLanes * sizeof(std::int64_t))));
using Small = std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t))));

/** From [k] on: the last k of eight lanes are counted. */
inline constexpr std::int64_t kCounted[2 * kLanes] = {0,  0,  0,  0,  0,  0,  0,  0,
                                                      -1, -1, -1, -1, -1, -1, -1, -1};

struct Bounds {
    Reals below;
    Reals above;
};

/** trunc(clamp(scaled, -most, most)) for most < 2^31; -most of NaN. */
__attribute__((always_inline)) inline void round_within(const Bounds &bounds, const Reals &scaled,
                                                        Integers &whole) {
    const Reals clamped =
        scaled > bounds.above ? bounds.above : (scaled > bounds.below ? scaled : bounds.below);
    whole = __builtin_convertvector(__builtin_convertvector(clamped, Small), Integers);
}

inline constexpr std::int64_t kSmall = std::int64_t{1} << 31;

/** Every |q| <= most: whether neither a product nor the sum of n can overflow 64 bits. */
inline bool squares_fit(std::size_t n, std::int64_t most) {
    const auto size = static_cast<std::uint64_t>(most);
    return most < kSmall && n < (std::uint64_t{1} << 63) / size / size;
}

}  // namespace dpadapt::sums::lanes
