#pragma once

#include <bit>
#include <cstdint>
#include <memory>

#include "random/stream.hpp"

namespace dpadapt::random {

/** A uniform number on [0, 1) with as many binary digits as anyone has asked for so far: a byte,
 *  then another such number, which is drawn when a comparison needs it. */
class Uniform {
  public:
    explicit Uniform(Stream &stream) : head_(stream.bits(kHead)) {}

    [[nodiscard]] bool at_least_half() const { return head_ >> (kHead - 1) != 0; }

    /** a < b, exactly. */
    [[nodiscard]] static bool less(Uniform &a, Uniform &b, Stream &stream) {
        if (a.head_ != b.head_) [[likely]]
            return a.head_ < b.head_;
        Uniform &rest_of_a = a.rest(stream);
        return less(rest_of_a, b.rest(stream), stream);
    }

    /** floor(2^bits U) for bits <= 40; ends the use of the number. */
    [[nodiscard]] std::uint64_t leading(unsigned bits, Stream &stream) const {
        if (bits <= kHead) return head_ >> (kHead - bits);
        const unsigned more = bits - kHead;
        return std::uint64_t{head_} << more |
               (rest_ ? rest_->leading(more, stream) : stream.bits(more));
    }

  private:
    static constexpr unsigned kHead = 8;

    Uniform &rest(Stream &stream) {
        if (!rest_) rest_ = std::make_unique<Uniform>(stream);
        return *rest_;
    }

    std::uint32_t head_;
    std::unique_ptr<Uniform> rest_;
};

/** Whether an even number of links of x > u1 > u2 > ... holds, for fresh u1, u2, ...: true with
 *  probability e^-x, because n links have probability x^n/n!. */
[[nodiscard]] inline bool run_is_even(Uniform &x, Stream &stream) {
    Uniform u(stream);
    return !Uniform::less(u, x, stream) || !run_is_even(u, stream);
}

/** Uniform on 0 .. n - 1, exactly; n >= 1. */
[[nodiscard]] inline std::uint32_t uniform_below(std::uint32_t n, Stream &stream) {
    stream.check_process();
    const auto count = static_cast<unsigned>(std::bit_width((n - 1) | 1));
    for (;;) {
        const std::uint32_t drawn = stream.bits(count);
        if (drawn < n) return drawn;
    }
}

}  // namespace dpadapt::random
