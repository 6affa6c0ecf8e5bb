#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "random/key.hpp"

namespace dpadapt::random {

/** What the noise of a stream is for; part of the nonce, so that no two uses share their bits. */
enum class Purpose : std::uint16_t {
    discrepancy = 1,
    gaussian_w,
    gaussian_u,
    selector,
    gaussian_moments,
    iterate,
    comparison,
    evaluation,
    inference,
    weight_sum,
    own_columns,
    votes
};

/** The bits of ChaCha20 (RFC 8439) under the key and the nonce purpose (16 bits) | step (48) |
 *  block (32), most significant byte first. Each byte gives its lowest bit first. A stream has 2^32
 *  blocks of 64 bytes, more than anyone can draw. */
class Stream {
  public:
    /** Borrows the key. Throws Error(DPA_E_INTERNAL) unless step < 2^48. */
    Stream(const Key &key, Purpose purpose, std::uint64_t step, std::uint32_t block);
    Stream &operator=(Stream &&) = delete;
    ~Stream();

    /** The next `count` bits as a number, the first one lowest; 1 <= count <= 32. */
    [[nodiscard]] std::uint32_t bits(unsigned count) {
        if (position_ > 8 * kSize - 64) refill();
        const std::uint64_t word = load(buffer_.data() + position_ / 8) >> position_ % 8;
        position_ += count;
        return static_cast<std::uint32_t>(word & ((std::uint64_t{1} << count) - 1));
    }

    /** Throws in a forked child. Every draw begins with it, because the buffer outlives a fork. */
    void check_process() const { key_.check_process(); }

  private:
    static constexpr std::size_t kUnread = 8;    // what a refill may have to keep
    static constexpr std::size_t kFresh = 1024;  // a multiple of 512, on which vector code works
    static constexpr std::size_t kSize = kUnread + kFresh;

    static std::uint64_t load(const std::uint8_t *bytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, sizeof word);
        if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
        return word;
    }
    void refill();

    const Key &key_;
    std::array<std::uint8_t, 12> nonce_;
    std::uint32_t counter_ = 0;
    std::size_t position_ = 8 * kSize;  // in bits
    std::array<std::uint8_t, kSize> buffer_;
};

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
