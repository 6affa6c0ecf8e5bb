#include "capi/matrix.hpp"

#include <limits>

#include "base/error.hpp"

namespace dpadapt::capi {

namespace {

constexpr std::size_t kMostDoubles = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
constexpr std::size_t kMostBlas = std::numeric_limits<std::int32_t>::max();

bool overflows(std::size_t a, std::size_t b) { return b != 0 && a > kMostDoubles / b; }

}  // namespace

void check_sizes(std::size_t rows, std::size_t cols) {
    if (rows == 0) throw Error(DPA_E_EMPTY, "rows must be at least 1, but is 0");
    if (cols == 0) throw Error(DPA_E_EMPTY, "cols must be at least 1, but is 0");
    if (rows > kMostBlas || cols >= kMostBlas - 1 || overflows(rows, cols))
        throw Error(DPA_E_OVERFLOW, "rows * cols = " + std::to_string(rows) + " * " +
                                        std::to_string(cols) + " is too large");
}

void check_sizes_elsewhere(std::size_t rows, std::size_t cols, const char *name) {
    constexpr std::size_t kMostRows = std::size_t{1} << 40;
    if (rows == 0) throw Error(DPA_E_EMPTY, std::string(name) + " must be at least 1, but is 0");
    if (rows > kMostRows)
        throw Error(DPA_E_OVERFLOW,
                    std::string(name) + " must be at most 2^40, but is " + std::to_string(rows));
    check_sizes(1, cols);
}

linalg::MatrixView checked_shape(const dpa_matrix &matrix) {
    const auto [data, rows, cols, leading_dimension, layout] = matrix;
    if (layout != DPA_COL_MAJOR && layout != DPA_ROW_MAJOR)
        throw Error(
            DPA_E_INVALID_ARGUMENT,
            "layout must be DPA_COL_MAJOR or DPA_ROW_MAJOR, but is " + std::to_string(layout));
    check_sizes(rows, cols);
    const bool row_major = layout == DPA_ROW_MAJOR;
    const std::size_t least = row_major ? cols : rows;
    if (leading_dimension < least)
        throw Error(DPA_E_STRIDE, "leading_dimension must be at least " + std::to_string(least) +
                                      ", but is " + std::to_string(leading_dimension));
    if (overflows(leading_dimension, row_major ? rows : cols))
        throw Error(DPA_E_OVERFLOW,
                    "leading_dimension " + std::to_string(leading_dimension) + " is too large");
    return {data, rows, cols, leading_dimension, row_major};
}

linalg::MatrixView checked_matrix(const dpa_matrix &matrix) {
    const linalg::MatrixView shape = checked_shape(matrix);
    if (matrix.data == nullptr)
        throw Error(DPA_E_INVALID_ARGUMENT, "the data of the matrix must not be NULL");
    return shape;
}

}  // namespace dpadapt::capi
