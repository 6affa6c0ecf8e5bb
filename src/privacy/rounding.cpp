#include "privacy/rounding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/int128.hpp"
#include "base/multiversion.hpp"

namespace dpadapt::privacy {
namespace {

/** trunc(clamp(c / unit, -most, most)); whether all numbers are finite. The clamp makes the
 *  conversion safe, and adding 1.5 2^52 leaves a small integer in the low bits of a double, which
 *  every processor can do side by side. */
DPA_MULTIVERSION
bool round_small(const double *c, std::size_t n, double unit, double most, std::int64_t *rounded) {
    constexpr double kShift = 0x1.8p52;
    const auto offset = std::bit_cast<std::int64_t>(kShift);
    std::int64_t bad = 0;
    const double inverse = 1.0 / unit;
    for (std::size_t k = 0; k < n; ++k) {
        const double scaled = c[k] * inverse;
        const double clamped = scaled > most ? most : scaled > -most ? scaled : -most;
        rounded[k] = std::bit_cast<std::int64_t>(std::trunc(clamped) + kShift) - offset;
        bad |= std::abs(c[k]) <= 1.7976931348623157e308 ? 0 : 1;
    }
    return bad == 0;
}

bool round_large(const double *c, std::size_t n, double unit, double most, std::int64_t *rounded) {
    bool finite = true;
    for (std::size_t k = 0; k < n; ++k) {
        const double scaled = c[k] / unit;
        const double clamped = scaled > most ? most : scaled > -most ? scaled : -most;
        rounded[k] = static_cast<std::int64_t>(std::trunc(clamped));
        finite = finite && std::isfinite(c[k]);
    }
    return finite;
}

/** Sum of squares below 2^64. */
DPA_MULTIVERSION
std::uint64_t small_square(const std::int64_t *q, std::size_t n) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const auto low = static_cast<std::int64_t>(static_cast<std::int32_t>(q[k]));
        sum += static_cast<std::uint64_t>(low * low);
    }
    return sum;
}

Uint128 squared_norm(std::span<const std::int64_t> q) {
    Uint128 sum = 0;
    for (const std::int64_t v : q) sum += static_cast<Uint128>(Int128{v} * v);
    return sum;
}

/** q * most / norm, towards zero. */
std::int64_t shrink(std::int64_t q, std::int64_t most, std::uint64_t norm) {
    const auto size = static_cast<Uint128>(q < 0 ? -Int128{q} : Int128{q});
    const auto shrunk = static_cast<std::int64_t>(size * static_cast<Uint128>(most) / norm);
    return q < 0 ? -shrunk : shrunk;
}

}  // namespace

void round_to_grid(std::span<const double> contribution, double unit, std::int64_t most,
                   std::span<std::int64_t> rounded) {
    const std::size_t n = contribution.size();
    const auto bound = static_cast<double>(most);
    constexpr std::int64_t kSmall = std::int64_t{1} << 31;
    // Every |q| <= most: below these sizes neither a product nor the sum can overflow 64 bits.
    const bool small = most < kSmall;
    const bool small_sum = small && n < (std::uint64_t{1} << 63) /
                                            static_cast<std::uint64_t>(most) /
                                            static_cast<std::uint64_t>(most);
    const bool finite = small ? round_small(contribution.data(), n, unit, bound, rounded.data())
                              : round_large(contribution.data(), n, unit, bound, rounded.data());
    // mutant: nan_not_neutralised
    if (!finite) {
        std::fill(rounded.begin(), rounded.end(), 0);
        return;
    }
    const auto square = static_cast<Uint128>(Int128{most} * most);
    Uint128 norm = small_sum ? small_square(rounded.data(), n) : squared_norm(rounded);
    // mutant: clip_skipped
    if (norm <= square) return;
    const std::uint64_t length = ceil_sqrt(norm);
    for (std::int64_t &q : rounded) q = shrink(q, most, length);
    norm = squared_norm(rounded);
    // Cannot happen: what is added is certified all the same.
    if (norm > square) std::fill(rounded.begin(), rounded.end(), 0);
}

}  // namespace dpadapt::privacy
