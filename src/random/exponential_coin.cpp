#include "random/exponential_coin.hpp"

#include <algorithm>

#include "random/uniform.hpp"

namespace dpadapt::random {
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
