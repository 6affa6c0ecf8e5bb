#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "arrow/column.hpp"
#include "arrow/type.hpp"
#include "problem/sample.hpp"

namespace dpadapt::arrow {

/** Columns as a caller names them. */
struct Names {
    const char *const *features;  ///< null: all but the label
    std::size_t feature_count;
    const char *label;  ///< null: none
};

/** Which columns of a schema make features and labels. */
struct Selection {
    /** Throws Error(DPA_E_INVALID_ARGUMENT) where a name is not that of one column; the Errors of
     *  type_of. */
    Selection(const ArrowSchema &schema, const Names &names);

    struct One {
        std::size_t place;
        std::string name;
        Type type;
    };
    std::vector<One> features;
    std::optional<One> label;
    std::size_t width = 0;  ///< number of features; lists have several
    std::size_t columns;    ///< of the schema
};

/** The selected columns of a batch. */
class Batch {
  public:
    /** Borrows both. Throws Error(DPA_E_FORMAT) for a damaged batch. */
    Batch(const Selection &selection, const ArrowArray &array);

    [[nodiscard]] std::size_t rows() const { return rows_.count; }
    /** Number of features. */
    [[nodiscard]] std::size_t width() const { return width_; }

    /** Writes features, row by row, and labels, where they are selected. */
    void read(std::size_t first, std::size_t count, double *x, double *y) const;
    void read_labels(double *y) const;

    /** Features that lie in memory as a matrix, labels that lie there; else null. */
    [[nodiscard]] const double *lent_features() const;
    [[nodiscard]] const double *lent_labels() const;

    /** Calls see(part) with consecutive parts of the rows; a part is valid during its call only. */
    void each_part(const auto &see) const {
        const double *x = lent_features();
        if (x != nullptr && label_.has_value() == (lent_labels() != nullptr))
            return see(Sample::lend({x, rows(), width_, width_, true}, lent_labels()));
        const std::size_t most = std::min(kPart, rows());
        SecretVector<double> features(most * width_);
        SecretVector<double> labels(most);
        for (std::size_t first = 0; first < rows(); first += kPart) {
            const std::size_t count = std::min(kPart, rows() - first);
            read(first, count, features.data(), labels.data());
            see(Sample::lend({features.data(), count, width_, width_, true}, labels.data()));
        }
    }

  private:
    static constexpr std::size_t kPart = 1024;

    Range rows_;
    Validity valid_;  ///< of rows as a whole
    std::size_t width_;
    std::vector<Column> features_;
    std::vector<std::size_t> places_;  ///< of the features of a column within a row
    std::optional<Column> label_;
};

/** Number i of a buffer, which need not be aligned. */
template <typename T>
[[nodiscard]] T load(const std::uint8_t *from, std::size_t i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    return value;
}

/** Calls see(T{}) if `kind` is the integer type T; returns whether it is an integer type. */
bool with_integer(Kind kind, const auto &see) {
    const auto is = [&](Kind own, auto zero) { return own == kind && (see(zero), true); };
    return is(Kind::int8, std::int8_t{}) || is(Kind::uint8, std::uint8_t{}) ||
           is(Kind::int16, std::int16_t{}) || is(Kind::uint16, std::uint16_t{}) ||
           is(Kind::int32, std::int32_t{}) || is(Kind::uint32, std::uint32_t{}) ||
           is(Kind::int64, std::int64_t{}) || is(Kind::uint64, std::uint64_t{});
}

/** The same for all numbers of the machine but single bits. */
bool with_number(Kind kind, const auto &see) {
    if (kind == Kind::single_precision) return see(float{}), true;
    if (kind == Kind::double_precision) return see(double{}), true;
    return with_integer(kind, see);
}

}  // namespace dpadapt::arrow
