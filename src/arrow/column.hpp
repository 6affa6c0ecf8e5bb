#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "arrow/type.hpp"
#include "arrow/validity.hpp"

namespace dpadapt::arrow {

/** The rows of an array of so many buffers and children; Error(DPA_E_FORMAT) for a damaged one. */
[[nodiscard]] Range rows_of(const ArrowArray &array, std::int64_t buffers, std::int64_t children,
                            const std::string &name);

/** Some rows of a column of a batch. What it holds is looked at row by row, and causes no error. */
class Column {
  public:
    /** Borrows the array. Throws Error(DPA_E_FORMAT) for a damaged one, and for one that has no
     *  such rows. */
    Column(const Type &type, const ArrowArray &array, const Range &rows, const std::string &name);

    /** Writes the numbers of `count` rows from `first` on, NaN for those that are missing; of a
     *  list each row has `width` of them. The first ones of rows are `stride` apart. */
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
