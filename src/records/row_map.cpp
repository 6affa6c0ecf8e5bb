#include "records/row_map.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/platform/processor.hpp"

namespace dpadapt::records {

namespace {

constexpr std::size_t kMostRows = 8;  // side by side, so that additions need not wait
constexpr std::size_t kMostWide = 8;  // numbers of a product that are made together

using Rows = std::array<const double *, kMostRows>;

struct Shape {
    std::size_t rows;
    std::size_t columns;
    std::size_t stride;  ///< of the columns
    std::size_t apart;   ///< products
};

/** The products of some rows. A record takes the same lanes whatever is beside it. */
template <std::size_t lanes, std::size_t vectors, std::size_t count>
__attribute__((always_inline)) inline void multiply_some(const Shape &shape, const double *matrix,
                                                         const Rows &x, double *to) {
    typedef double Lanes __attribute__((vector_size(lanes * sizeof(double))));  // NOLINT
    constexpr std::size_t wide = vectors * lanes;
    static_assert(wide <= kMostWide && count <= kMostRows);
    for (std::size_t k = 0; k < shape.rows; k += wide) {
        Lanes sums[count][vectors] = {};
        const double *column = matrix + k;
        for (std::size_t j = 0; j < shape.columns; ++j, column += shape.stride) {
#pragma GCC unroll 2
            for (std::size_t v = 0; v < vectors; ++v) {
                Lanes a;
                std::memcpy(&a, column + v * lanes, sizeof a);
#pragma GCC unroll 8
                for (std::size_t i = 0; i < count; ++i) sums[i][v] += a * x[i][j];
            }
        }
        double last[count * wide];
        const bool whole = k + wide <= shape.rows;
        double *out = whole ? to + k : last;
        const std::size_t apart = whole ? shape.apart : wide;
#pragma GCC unroll 8
        for (std::size_t i = 0; i < count; ++i)
#pragma GCC unroll 2
            for (std::size_t v = 0; v < vectors; ++v)
                std::memcpy(out + i * apart + v * lanes, &sums[i][v], sizeof(Lanes));
        for (std::size_t i = 0; !whole && i < count; ++i)
            for (std::size_t r = k; r < shape.rows; ++r)
                to[i * shape.apart + r] = last[i * wide + r - k];
    }
}

/** What a processor makes the products of so many rows by. */
struct Kernel {
    std::size_t rows;
    void (*multiply)(const Shape &, const double *matrix, const Rows &, double *to);
};

void multiply_by_two(const Shape &shape, const double *matrix, const Rows &x, double *to) {
    multiply_some<2, 2, 4>(shape, matrix, x, to);
}

DPA_PROCESSOR("avx2")
void multiply_by_four(const Shape &shape, const double *matrix, const Rows &x, double *to) {
    multiply_some<4, 2, 4>(shape, matrix, x, to);
}

DPA_PROCESSOR("avx512f")
void multiply_by_eight(const Shape &shape, const double *matrix, const Rows &x, double *to) {
    multiply_some<8, 1, 8>(shape, matrix, x, to);
}

Kernel kernel_of(std::size_t lanes) {
    if (lanes == 8) return {8, multiply_by_eight};
    return lanes == 4 ? Kernel{4, multiply_by_four} : Kernel{4, multiply_by_two};
}

}  // namespace

std::size_t RowMap::most_lanes() {
    constexpr std::size_t kLanesOf[] = {2, 4, 8};
    static const std::size_t lanes =
        kLanesOf[static_cast<int>(platform::vectors_of_this_processor())];
    return lanes;
}

RowMap::RowMap(const arma::mat &matrix, std::size_t lanes)
    : lanes_(lanes),
      rows_(matrix.n_rows),
      columns_(matrix.n_cols),
      stride_((rows_ + kMostWide - 1) / kMostWide * kMostWide),
      matrix_(stride_ * columns_) {
    for (std::size_t j = 0; j < columns_; ++j)
        std::copy_n(matrix.colptr(j), rows_, matrix_.data() + j * stride_);
}

void RowMap::multiply(const double *from, std::size_t rows, double *to, std::size_t stride) const {
    const Kernel kernel = kernel_of(lanes_);
    const auto rows_from = [&](std::size_t i) {  // the last one again where there are no more
        Rows x{};
        for (std::size_t k = 0; k < kernel.rows; ++k)
            x[k] = from + std::min(i + k, rows - 1) * columns_;
        return x;
    };
    std::size_t i = 0;
    for (; i + kernel.rows <= rows; i += kernel.rows)
        kernel.multiply({rows_, columns_, stride_, stride}, matrix_.data(), rows_from(i),
                        to + i * stride);
    if (i == rows) return;
    SecretVector<double> products(kernel.rows * rows_);
    kernel.multiply({rows_, columns_, stride_, rows_}, matrix_.data(), rows_from(i),
                    products.data());
    for (std::size_t k = 0; i < rows; ++i, ++k)
        std::copy_n(products.data() + k * rows_, rows_, to + i * stride);
}

}  // namespace dpadapt::records
