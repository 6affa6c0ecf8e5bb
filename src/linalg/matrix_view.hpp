#pragma once

#include <cstddef>

namespace dpadapt::linalg {

/** A caller's dense matrix, one record a row, in either layout. */
struct MatrixView {
    const double *data = nullptr;
    std::size_t rows = 0;
    std::size_t cols = 0;
    std::size_t stride = 0;  ///< leading dimension
    bool row_major = false;

    [[nodiscard]] const double *row(std::size_t i) const { return data + i * stride; }
    [[nodiscard]] const double *column(std::size_t j) const { return data + j * stride; }
    [[nodiscard]] std::size_t offset(std::size_t i, std::size_t j) const {
        return row_major ? i * stride + j : i + j * stride;
    }
    [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
        return data[offset(i, j)];
    }
};

}  // namespace dpadapt::linalg
