#include "privacy/job.hpp"

#include <sodium/crypto_generichash.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt::privacy {
namespace {

constexpr std::size_t kMostLetters = 64;
constexpr std::size_t kMarkSize = 16;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
}

/** BLAKE2b under the key, of a use and the number of a call. */
void derive(std::span<const std::uint8_t> key, std::string_view use, std::uint64_t call,
            std::span<std::uint8_t> out) {
    std::array<std::uint8_t, 8> number{};
    for (std::size_t i = 0; i < number.size(); ++i)
        number[i] = static_cast<std::uint8_t>(call >> 8 * i);
    crypto_generichash_state state;
    crypto_generichash_init(&state, key.data(), key.size(), out.size());
    crypto_generichash_update(&state, number.data(), number.size());
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char *>(use.data()),
                              use.size());
    crypto_generichash_final(&state, out.data(), out.size());
    wipe(&state, sizeof state);
}

}  // namespace

Job::Job(std::string name, std::span<const std::uint8_t> key)
    : name_(std::move(name)), key_(key.begin(), key.end()) {
    if (name_.empty() || name_.size() > kMostLetters ||
        !std::all_of(name_.begin(), name_.end(), is_letter))
        throw Error(DPA_E_INVALID_ARGUMENT,
                    "name of a job must be 1 to 64 letters, digits, points, hyphens and "
                    "underscores");
    if (key_.size() != random::Key::kSize)
        throw Error(DPA_E_INVALID_ARGUMENT,
                    "key must have 32 bytes, but has " + std::to_string(key_.size()));
}

std::shared_ptr<const Job> Job::about(const std::function<void(const Feed &)> &input) const {
    SecretVector<std::uint8_t> key(key_.size());
    crypto_generichash_state state;
    crypto_generichash_init(&state, key_.data(), key_.size(), key.size());
    input([&](const void *bytes, std::size_t size) {
        crypto_generichash_update(&state, static_cast<const unsigned char *>(bytes), size);
    });
    crypto_generichash_final(&state, key.data(), key.size());
    wipe(&state, sizeof state);
    return std::make_shared<const Job>(name_, key);
}

random::Key Job::noise_key(std::uint64_t call, std::string_view options) const {
    SecretVector<std::uint8_t> bytes(random::Key::kSize);
    derive(key_, "noise " + std::string(options), call, bytes);
    return random::Key::unsafe_from_bytes(
        std::span<const std::uint8_t, random::Key::kSize>(bytes.data(), random::Key::kSize));
}

std::string Job::label(std::uint64_t call) const {
    return "job=" + name_ + '/' + std::to_string(call) + ':';
}

std::string Job::mark(std::uint64_t call) const {
    std::array<std::uint8_t, kMarkSize> bytes{};
    derive(key_, "entry", call, bytes);
    return label(call) + hexadecimal(bytes);
}

}  // namespace dpadapt::privacy
