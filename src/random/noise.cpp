#include "random/noise.hpp"

#include <algorithm>
#include <bit>

#include "base/parallel.hpp"
#include "random/stream.hpp"

namespace dpadapt::random {

void fill_with_noise(std::span<std::int64_t> noise, Draw draw, unsigned bits, const Key &key,
                     Purpose purpose, std::uint64_t step, std::size_t threads) {
    constexpr std::size_t kBlock = 256;
    parallel_blocks(noise.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
        Stream stream(key, purpose, step, static_cast<std::uint32_t>(begin / kBlock));
        for (auto &value : noise.subspan(begin, end - begin)) value = draw(stream, bits);
    });
}

namespace {

/** True with probability e^(-1/2). */
bool half(Stream &stream) {
    Uniform u(stream);
    return u.at_least_half() || !run_is_even(u, stream);
}

/** True with probability (2k + x)/(2k + 2). */
bool link(unsigned k, Uniform &x, Stream &stream) {
    unsigned j = 0;
    do j = stream.bits(static_cast<unsigned>(std::bit_width(2 * k + 1)));
    while (j > 2 * k + 1);
    if (j != 2 * k) return j < 2 * k;
    Uniform u(stream);
    return Uniform::less(u, x, stream);
}

/** As run_is_even(bound), but a link of the run needs a true link(k, x) as well; from bound = x it
 *  is true with probability e^(-x (2k + x)/(2k + 2)). */
bool step(unsigned k, Uniform &x, Uniform &bound, Stream &stream) {
    Uniform u(stream);
    return !Uniform::less(u, bound, stream) || !link(k, x, stream) || !step(k, x, u, stream);
}

bool all_succeed(unsigned count, const auto &trial) {
    while (count > 0 && trial()) --count;
    return count == 0;
}

}  // namespace

std::int64_t normal(Stream &stream, unsigned bits) {
    stream.check_process();
    for (;;) {
        unsigned k = 0;
        while (half(stream)) ++k;
        if (k > 1 && !all_succeed(k * (k - 1), [&] { return half(stream); })) continue;
        Uniform x(stream);
        if (!all_succeed(k + 1, [&] { return step(k, x, x, stream); })) continue;
        const auto y =
            static_cast<std::int64_t>(std::uint64_t{k} << bits | x.leading(bits, stream));
        return stream.bits(1) == 0 ? y : -y - 1;
    }
}

std::int64_t laplace(Stream &stream, unsigned bits) {
    stream.check_process();
    for (std::uint64_t k = 0;; ++k) {  // von Neumann: k rejections and the accepted x add up to |L|
        Uniform x(stream);
        if (!run_is_even(x, stream)) continue;
        const auto y = static_cast<std::int64_t>(k << bits | x.leading(bits, stream));
        return stream.bits(1) == 0 ? y : -y - 1;
    }
}

namespace {

/** True with probability numerator / 2^bits <= 1: whether as many random bits are below, the
 *  highest first. */
bool rational_coin(Uint128 numerator, unsigned bits, Stream &stream) {
    constexpr unsigned kMostBits = 32;
    while (bits > 0) {
        const unsigned count = std::min(bits, kMostBits);
        bits -= count;
        const Uint128 drawn = stream.bits(count);
        const Uint128 wanted = numerator >> bits;
        if (drawn != wanted) return drawn < wanted;
        numerator -= wanted << bits;
    }
    return numerator != 0;
}

/** e^-x for x = numerator / 2^bits <= 1: in a series of coins of x, x/2, x/3, ... the first n are
 *  heads with probability x^n/n!, so the number of heads before the first tails is even with 1 - x
 *  + x^2/2! - ... */
bool small_exponent(Uint128 numerator, unsigned bits, Stream &stream) {
    bool even = true;
    for (std::uint32_t k = 1;; ++k, even = !even)
        if (uniform_below(k, stream) != 0 || !rational_coin(numerator, bits, stream)) return even;
}

}  // namespace

bool exponential_coin(Uint128 numerator, unsigned bits, Stream &stream) {
    stream.check_process();
    const Uint128 one = Uint128{1} << bits;
    for (; numerator >= one; numerator -= one)  // e^-x = e^-1 ... e^-1 e^-(x - floor x)
        if (!small_exponent(1, 0, stream)) return false;
    return small_exponent(numerator, bits, stream);
}

}  // namespace dpadapt::random
