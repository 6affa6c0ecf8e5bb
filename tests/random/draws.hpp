// What the tests of the noise share: known keys, and samples under them.
#pragma once

#include <array>
#include <vector>

#include "random/noise.hpp"

namespace dpadapt::random {

/** The key first, first + 1, ... (modulo 256). */
inline Key counting_key(std::uint8_t first = 0) {
    std::array<std::uint8_t, Key::kSize> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(first + i);
    return Key::unsafe_from_bytes(bytes);
}

inline std::vector<std::int64_t> integers(std::size_t size, Draw draw, unsigned bits,
                                          const Key &key, Purpose purpose = Purpose::gaussian_w,
                                          std::uint64_t step = 0, std::size_t threads = 1) {
    std::vector<std::int64_t> drawn(size);
    fill_with_noise(drawn, draw, bits, key, purpose, step, threads);
    return drawn;
}

/** Draws at 32 bits as real numbers, to the middle of their cells. */
inline std::vector<double> reals(std::size_t size, Draw draw, const Key &key,
                                 Purpose purpose = Purpose::gaussian_w, std::uint64_t step = 0) {
    std::vector<double> values;
    values.reserve(size);
    for (const std::int64_t number : integers(size, draw, 32, key, purpose, step))
        values.push_back((static_cast<double>(number) + 0.5) * 0x1p-32);
    return values;
}

}  // namespace dpadapt::random
