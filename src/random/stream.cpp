#include "random/stream.hpp"

#include <sodium/crypto_stream_chacha20.h>
#include <sodium/utils.h>

#include <algorithm>

#include "base/error.hpp"

namespace dpadapt::random {

namespace {

/** The nonce purpose | step | block as a number of 96 bits, most significant byte first. */
std::array<std::uint8_t, 12> make_nonce(Purpose purpose, std::uint64_t step, std::uint32_t block) {
    if (step >> 48 != 0) throw Error(DPA_E_INTERNAL, "too many steps for one noise key");
    const std::uint64_t high = static_cast<std::uint64_t>(purpose) << 48 | step;
    std::array<std::uint8_t, 12> nonce{};
    for (std::size_t i = 0; i < 8; ++i) nonce[i] = static_cast<std::uint8_t>(high >> (56 - 8 * i));
    for (std::size_t i = 0; i < 4; ++i)
        nonce[8 + i] = static_cast<std::uint8_t>(block >> (24 - 8 * i));
    return nonce;
}

}  // namespace

Stream::Stream(const Key &key, Purpose purpose, std::uint64_t step, std::uint32_t block)
    : key_(key), nonce_(make_nonce(purpose, step, block)) {}

Stream::~Stream() { sodium_memzero(buffer_.data(), buffer_.size()); }

void Stream::refill() {
    static_assert(crypto_stream_chacha20_ietf_KEYBYTES == Key::kSize);
    constexpr std::size_t kBlock = 64;
    const std::uint8_t *const key = key_.bytes();  // throws in a forked child, with nothing changed
    std::uint8_t *const fresh = buffer_.data() + kUnread;
    const auto unread = buffer_.begin() + static_cast<std::ptrdiff_t>(position_ / 8);
    const auto start = std::copy_backward(unread, buffer_.end(), buffer_.begin() + kUnread);
    position_ = 8 * static_cast<std::size_t>(start - buffer_.begin()) + position_ % 8;
    std::fill_n(fresh, kFresh, std::uint8_t{0});
    crypto_stream_chacha20_ietf_xor_ic(fresh, fresh, kFresh, nonce_.data(), counter_, key);
    counter_ += kFresh / kBlock;
}

}  // namespace dpadapt::random
