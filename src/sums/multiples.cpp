#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/bytes.hpp"
#include "base/multiversion.hpp"
#include "base/secret.hpp"
#include "sums/integer_sums.hpp"

namespace dpadapt::sums {

namespace {

// Eight numbers at a time, rounded to a grid of less than 2^31 units on either side.

constexpr std::size_t kLanes = 8;
using Reals = double __attribute__((vector_size(kLanes * sizeof(double))));
using Integers = std::int64_t __attribute__((vector_size(kLanes * sizeof(std::int64_t))));
using Small = std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t))));

/** kCounted + k: a mask of eight lanes that keeps the last k. */
constexpr std::int64_t kCounted[2 * kLanes] = {0,  0,  0,  0,  0,  0,  0,  0,
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

constexpr std::int64_t kSmall = std::int64_t{1} << 31;

/** Every |q| <= most: whether neither a product nor the sum of n can overflow 64 bits. */
bool squares_fit(std::size_t n, std::int64_t most) {
    const auto size = static_cast<std::uint64_t>(most);
    return most < kSmall && n < (std::uint64_t{1} << 63) / size / size;
}

/** The sum over its lanes, modulo 2^64. */
__attribute__((always_inline)) inline std::uint64_t sum_of(const Integers &lanes) {
    using Half = std::int64_t __attribute__((vector_size(sizeof(Integers) / 2)));
    using Quarter = std::int64_t __attribute__((vector_size(sizeof(Integers) / 4)));
    Half halves[2];
    Quarter quarters[2];
    std::memcpy(halves, &lanes, sizeof lanes);
    const Half half = halves[0] + halves[1];
    std::memcpy(quarters, &half, sizeof half);
    const Quarter quarter = quarters[0] + quarters[1];
    return static_cast<std::uint64_t>(quarter[0]) + static_cast<std::uint64_t>(quarter[1]);
}

/** Adds factors[i] * row i, rounded, to `sums` where its squares add up to less than most^2:
 *  added[i]. n >= 8; repeated lanes of the last block are zeroed. Both outputs need room for whole
 *  eights. */
DPA_MULTIVERSION
void add_short(const double *factors, std::size_t count, const double *rows, std::size_t n,
               double unit, std::int64_t most, std::int64_t *rounded, std::int64_t *sums,
               bool *added) {
    const double inverse = 1.0 / unit;
    const auto bound = static_cast<double>(most);
    const auto square = static_cast<std::uint64_t>(most) * static_cast<std::uint64_t>(most);
    const Bounds bounds{Reals{} - bound, Reals{} + bound};
    const std::size_t numbers = (n + kLanes - 1) / kLanes * kLanes;
    Integers counted;
    std::memcpy(&counted, kCounted + (n + kLanes - numbers), sizeof counted);
    for (std::size_t i = 0; i < count; ++i, rows += n) {
        Integers squares{};
        for (std::size_t begin = 0; begin < numbers; begin += kLanes) {
            Reals value;
            std::memcpy(&value, rows + std::min(begin, n - kLanes), sizeof value);
            Integers whole;
            round_within(bounds, value * factors[i] * inverse, whole);
            if (begin + kLanes > n) whole &= counted;
            squares += whole * whole;
            std::memcpy(rounded + begin, &whole, sizeof whole);
        }
        // mutant: multiples_not_clipped
        added[i] = sum_of(squares) < square;
        if (!added[i]) continue;
        for (std::size_t begin = 0; begin < numbers; begin += kLanes) {
            Integers sum;
            Integers whole;
            std::memcpy(&sum, sums + begin, sizeof sum);
            std::memcpy(&whole, rounded + begin, sizeof whole);
            sum += whole;
            std::memcpy(sums + begin, &sum, sizeof sum);
        }
    }
}

using Naturals = std::uint64_t __attribute__((vector_size(kLanes * sizeof(std::uint64_t))));

/** trunc(clamp(c / unit, -most, most)), most < 2^31, and the sum of squares modulo 2^64; false if a
 *  number is not finite. n >= 8: the last block overlaps, and its repeated lanes count once. */
DPA_MULTIVERSION
bool round_small(const double *c, std::size_t n, double unit, double most, std::int64_t *rounded,
                 std::uint64_t *square) {
    const double inverse = 1.0 / unit;
    const Bounds bounds{Reals{} - most, Reals{} + most};
    Reals lost{};  // 0 of finite numbers
    Naturals squares{};
    for (std::size_t begin = 0; begin < n; begin += kLanes) {
        const std::size_t left = std::min(kLanes, n - begin);
        const std::size_t first = begin + left - kLanes;
        Reals value;
        Integers counted;
        std::memcpy(&value, c + first, sizeof value);
        std::memcpy(&counted, kCounted + left, sizeof counted);
        Integers whole;
        round_within(bounds, value * inverse, whole);
        lost += value * Reals{};
        squares += __builtin_convertvector((whole * whole) & counted, Naturals);
        std::memcpy(rounded + first, &whole, sizeof whole);
    }
    double none = 0.0;
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < kLanes; ++k) {
        none += lost[k];
        sum += squares[k];
    }
    *square = sum;
    return none == 0.0;
}

/** The same for any n. */
bool round_few(const double *c, std::size_t n, double unit, double most, std::int64_t *rounded,
               std::uint64_t *square) {
    const double inverse = 1.0 / unit;
    bool finite = true;
    *square = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const double scaled = c[k] * inverse;
        const double clamped = scaled > most ? most : scaled > -most ? scaled : -most;
        rounded[k] = static_cast<std::int64_t>(clamped);
        *square += static_cast<std::uint64_t>(rounded[k] * rounded[k]);
        finite = finite && std::isfinite(c[k]);
    }
    return finite;
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

void add_multiples(std::span<const double> factors, const double *rows, double unit,
                   std::int64_t most, std::span<std::int64_t> sums) {
    constexpr std::size_t kAtOnce = 64;
    const std::size_t n = sums.size();
    const bool quick = n >= kLanes && squares_fit(n, most);
    const std::size_t numbers = (n + kLanes - 1) / kLanes * kLanes;
    SecretVector<std::int64_t> total(numbers, 0);
    SecretVector<std::int64_t> rounded(numbers);
    SecretVector<double> term(n);
    bool added[kAtOnce] = {};
    for (std::size_t begin = 0; begin < factors.size(); begin += kAtOnce, rows += kAtOnce * n) {
        const auto some = factors.subspan(begin, std::min(kAtOnce, factors.size() - begin));
        if (quick)
            by_processor<add_short>(some.data(), some.size(), rows, n, unit, most, rounded.data(),
                                    total.data(), added);
        for (std::size_t i = 0; i < some.size(); ++i) {
            if (added[i]) continue;
            for (std::size_t k = 0; k < n; ++k) term[k] = rows[i * n + k] * some[i];
            round_to_grid(term, unit, most, std::span(rounded).first(n));
            for (std::size_t k = 0; k < n; ++k) sums[k] += rounded[k];
        }
    }
    for (std::size_t k = 0; quick && k < numbers; ++k)
        sums[std::min(k - k % kLanes, n - kLanes) + k % kLanes] += total[k];
}

void round_to_grid(std::span<const double> contribution, double unit, std::int64_t most,
                   std::span<std::int64_t> rounded) {
    const std::size_t n = contribution.size();
    const auto bound = static_cast<double>(most);
    const bool small = most < kSmall;
    const auto round = n < kLanes ? round_few : Multiversion<round_small>::call;
    std::uint64_t sum = 0;
    const bool finite = small ? round(contribution.data(), n, unit, bound, rounded.data(), &sum)
                              : round_large(contribution.data(), n, unit, bound, rounded.data());
    // mutant: nan_not_neutralised
    if (!finite) {
        std::fill(rounded.begin(), rounded.end(), 0);
        return;
    }
    const auto square = static_cast<Uint128>(Int128{most} * most);
    Uint128 norm = squares_fit(n, most) ? Uint128{sum} : squared_norm(rounded);
    // mutant: clip_skipped
    if (norm <= square) return;
    const std::uint64_t length = ceil_sqrt(norm);
    for (std::int64_t &q : rounded) q = shrink(q, most, length);
    norm = squared_norm(rounded);
    // Cannot happen: what is added is certified all the same.
    if (norm > square) std::fill(rounded.begin(), rounded.end(), 0);
}

}  // namespace dpadapt::sums
