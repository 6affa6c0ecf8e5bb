#pragma once

#include <dpadapt/arrow.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "arrow/type.hpp"

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

    /** Sets to NaN the `width` numbers of each missing row among `count` rows from `first` on. Rows
     *  begin `stride` apart. */
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

/** The rows of an array of so many buffers and children; Error(DPA_E_FORMAT) for a damaged one. */
[[nodiscard]] Range rows_of(const ArrowArray &array, std::int64_t buffers, std::int64_t children,
                            const std::string &name);

/** Some rows of a column of a batch. What it holds is looked at row by row, and causes no error. */
class Column {
  public:
    /** Borrows the array. Throws Error(DPA_E_FORMAT) for a damaged one, and for one that has no
     *  such rows. */
    Column(const Type &type, const ArrowArray &array, const Range &rows, const std::string &name);

    /** Writes `count` rows from `first` on: a number each, of a list `width` of them, NaN if
     *  missing. Rows begin `stride` apart. */
    void read(std::size_t first, std::size_t count, double *out, std::size_t stride) const;

    /** The same of four columns side by side, which is faster; false, with nothing done, unless
     *  their numbers are of one type. */
    [[nodiscard]] static bool read_four(const Column *columns, std::size_t first, std::size_t count,
                                        double *out, std::size_t stride);

    /** All its numbers as they lie in memory, row after row; null where they do not. */
    [[nodiscard]] const double *lent() const;

    /** The text of a row; nothing where it is missing. */
    [[nodiscard]] std::optional<std::string_view> text(std::size_t row) const;

  private:
    void read_numbers(std::size_t first, std::size_t count, double *out, std::size_t stride) const;
    [[nodiscard]] bool read_decimals(std::size_t first, std::size_t count, double *out,
                                     std::size_t stride) const;
    void read_lists(std::size_t first, std::size_t count, double *out, std::size_t stride) const;
    [[nodiscard]] std::optional<std::size_t> code(std::size_t row) const;
    template <typename Offset>
    [[nodiscard]] std::optional<std::string_view> text_at(std::size_t row) const;
    [[nodiscard]] std::optional<std::string_view> viewed_text(std::size_t row) const;

    Kind kind_;
    int scale_;
    std::size_t width_;
    const ArrowArray &array_;
    Range rows_;  ///< of the array
    Validity valid_;
    const std::uint8_t *values_ = nullptr;
    std::unique_ptr<const Column> inner_;  ///< elements of a list, or levels of a dictionary
};

}  // namespace dpadapt::arrow
