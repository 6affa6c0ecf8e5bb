#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

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
    own_columns
};

/** The bits of ChaCha20 (RFC 8439) under the key and the nonce purpose (16 bits) | step (48) |
 *  block (32), most significant byte first. Each byte gives its lowest bit first. A stream has 2^32
 *  blocks of 64 bytes, more than anyone can draw. */
class Stream {
  public:
    /** Borrows the key. Throws Error(DPA_E_INTERNAL) unless step < 2^48. */
    Stream(const Key &key, Purpose purpose, std::uint64_t step, std::uint32_t block);
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
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

}  // namespace dpadapt::random
