#include "random/normal.hpp"

#include <bit>

#include "random/uniform.hpp"

namespace dpadapt::random {
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

template <typename Trial>
bool all_succeed(unsigned count, const Trial &trial) {
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

}  // namespace dpadapt::random
