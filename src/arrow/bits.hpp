#pragma once

#include <cstddef>
#include <cstdint>

namespace dpadapt::arrow {

/** Bitmaps as Arrow has them: the lowest bit of a byte comes first. */
[[nodiscard]] inline bool is_set(const std::uint8_t *bits, std::size_t i) {
    return (bits[i / 8] >> i % 8 & 1U) != 0;
}

[[nodiscard]] inline bool all_set(const std::uint8_t *bits, std::size_t begin, std::size_t end) {
    while (begin < end) {
        if (begin % 8 == 0 && end - begin >= 8) {
            if (bits[begin / 8] != 0xff) return false;
            begin += 8;
        } else if (!is_set(bits, begin++)) {
            return false;
        }
    }
    return true;
}

}  // namespace dpadapt::arrow
