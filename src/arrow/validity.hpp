#pragma once

#include <dpadapt/arrow.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace dpadapt::arrow {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/** Rows `begin`, `begin + 1`, ... of an array. */
struct Range {
    std::size_t begin;
    std::size_t count;

    [[nodiscard]] std::size_t end() const { return begin + count; }
};

/** Bitmaps as Arrow has them: the lowest bit of a byte comes first. */
[[nodiscard]] inline bool is_set(const std::uint8_t *bits, std::size_t i) {
    return (bits[i / 8] >> i % 8 & 1U) != 0;
}

[[nodiscard]] inline bool all_set(const std::uint8_t *bits, const Range &range) {
    for (std::size_t i = range.begin; i < range.end();) {
        if (i % 8 == 0 && range.end() - i >= 8) {
            if (bits[i / 8] != 0xff) return false;
            i += 8;
        } else if (!is_set(bits, i++)) {
            return false;
        }
    }
    return true;
}

/** Which of some rows of an array are there. */
class Validity {
  public:
    /** All of them. */
    Validity() = default;
    /** As the bitmap of the array says, which is borrowed. */
    Validity(const ArrowArray &array, const Range &rows)
        : bits_(static_cast<const std::uint8_t *>(array.buffers[0])), rows_(rows) {}

    [[nodiscard]] bool is_missing(std::size_t row) const {
        return bits_ != nullptr && !is_set(bits_, rows_.begin + row);
    }
    [[nodiscard]] bool none_missing(std::size_t first, std::size_t count) const {
        return bits_ == nullptr || all_set(bits_, {rows_.begin + first, count});
    }
    [[nodiscard]] bool none_missing() const { return none_missing(0, rows_.count); }

    /** Of those of `count` rows from `first` on that are missing, sets `width` numbers to NaN. The
     *  first ones of rows are `stride` apart. */
    void forget_missing(std::size_t first, std::size_t count, double *out, std::size_t width,
                        std::size_t stride) const {
        if (none_missing(first, count)) return;
        for (std::size_t i = 0; i < count; ++i)
            if (is_missing(first + i)) std::fill_n(out + i * stride, width, kMissing);
    }

  private:
    const std::uint8_t *bits_ = nullptr;
    Range rows_{0, 0};
};

}  // namespace dpadapt::arrow
