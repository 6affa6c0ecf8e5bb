#include <algorithm>
#include <cstring>

#include "base/multiversion.hpp"
#include "base/secret.hpp"
#include "privacy/lanes.hpp"
#include "privacy/rounding.hpp"

namespace dpadapt::privacy {
namespace {

using namespace lanes;

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

/** Of some rows of n >= 8 numbers: adds factor times the row, rounded, to `sums`, eight numbers
 *  after eight, of the last ones those that were not there yet; whose squares add up to less than
 *  most^2, and no others. These are told. Both need room for whole eights. */
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
            add_short(some.data(), some.size(), rows, n, unit, most, rounded.data(), total.data(),
                      added);
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

}  // namespace dpadapt::privacy
