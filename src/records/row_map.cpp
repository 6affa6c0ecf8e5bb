#include "records/row_map.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace dpadapt::records {
namespace {

constexpr std::size_t kRows = 4;      // side by side, so that additions need not wait
constexpr std::size_t kMostWide = 8;  // numbers of a product that are made together

struct Shape {
    std::size_t rows;
    std::size_t columns;
    std::size_t stride;  ///< of the columns
    std::size_t apart;   ///< products
};

/** The products of four rows. A record takes the same lanes whatever is beside it. */
template <std::size_t lanes>
__attribute__((always_inline)) inline void multiply_four(const Shape &shape, const double *matrix,
                                                         const std::array<const double *, kRows> &x,
                                                         double *to) {
    typedef double Lanes __attribute__((vector_size(lanes * sizeof(double))));  // NOLINT
    constexpr std::size_t wide = 2 * lanes;
    for (std::size_t k = 0; k < shape.rows; k += wide) {
        Lanes a0{}, a1{}, a2{}, a3{}, b0{}, b1{}, b2{}, b3{};
        const double *column = matrix + k;
        for (std::size_t j = 0; j < shape.columns; ++j, column += shape.stride) {
            Lanes a;
            Lanes b;
            std::memcpy(&a, column, sizeof a);
            std::memcpy(&b, column + lanes, sizeof b);
            a0 += a * x[0][j];
            a1 += a * x[1][j];
            a2 += a * x[2][j];
            a3 += a * x[3][j];
            b0 += b * x[0][j];
            b1 += b * x[1][j];
            b2 += b * x[2][j];
            b3 += b * x[3][j];
        }
        double last[kRows * wide];
        const bool whole = k + wide <= shape.rows;
        double *out = whole ? to + k : last;
        const std::size_t stride = whole ? shape.apart : wide;
        const Lanes *const made[kRows][2] = {{&a0, &b0}, {&a1, &b1}, {&a2, &b2}, {&a3, &b3}};
        for (std::size_t i = 0; i < kRows; ++i)
            for (std::size_t half = 0; half < 2; ++half)
                std::memcpy(out + i * stride + half * lanes, made[i][half], sizeof(Lanes));
        for (std::size_t i = 0; !whole && i < kRows; ++i)
            for (std::size_t r = k; r < shape.rows; ++r)
                to[i * shape.apart + r] = last[i * wide + r - k];
    }
}

using MultiplyFour = void (*)(const Shape &, const double *,
                              const std::array<const double *, kRows> &, double *);

void multiply_by_two(const Shape &shape, const double *matrix,
                     const std::array<const double *, kRows> &x, double *to) {
    multiply_four<2>(shape, matrix, x, to);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void multiply_by_four(const Shape &shape, const double *matrix,
                                                      const std::array<const double *, kRows> &x,
                                                      double *to) {
    multiply_four<4>(shape, matrix, x, to);
}

MultiplyFour of_this_processor() {
    return __builtin_cpu_supports("avx2") ? multiply_by_four : multiply_by_two;
}
#else
MultiplyFour of_this_processor() { return multiply_by_two; }
#endif

}  // namespace

RowMap::RowMap(const arma::mat &matrix)
    : rows_(matrix.n_rows),
      columns_(matrix.n_cols),
      stride_((rows_ + kMostWide - 1) / kMostWide * kMostWide),
      matrix_(stride_ * columns_) {
    for (std::size_t j = 0; j < columns_; ++j)
        std::copy_n(matrix.colptr(j), rows_, matrix_.data() + j * stride_);
}

void RowMap::multiply(const double *from, std::size_t rows, double *to, std::size_t stride) const {
    static const MultiplyFour multiply_four_rows = of_this_processor();
    const auto rows_from = [&](std::size_t i) {  // the last one again where there are no more
        std::array<const double *, kRows> x{};
        for (std::size_t k = 0; k < kRows; ++k) x[k] = from + std::min(i + k, rows - 1) * columns_;
        return x;
    };
    std::size_t i = 0;
    for (; i + kRows <= rows; i += kRows)
        multiply_four_rows({rows_, columns_, stride_, stride}, matrix_.data(), rows_from(i),
                           to + i * stride);
    if (i == rows) return;
    SecretVector<double> products(kRows * rows_);
    multiply_four_rows({rows_, columns_, stride_, rows_}, matrix_.data(), rows_from(i),
                       products.data());
    for (std::size_t k = 0; i < rows; ++i, ++k)
        std::copy_n(products.data() + k * rows_, rows_, to + i * stride);
}

}  // namespace dpadapt::records
