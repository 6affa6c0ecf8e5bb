#pragma once

#include <cstddef>
#include <vector>

#include "linalg/arma.hpp"

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

/** The rows on which a method works, labels less label_center: z_i = (f_i * scale % (x_i - center),
 *  1 if constant), with f_i = 1 when row_scale is empty. Never stored: every kernel applies the map
 *  to the caller's rows as it reads them. */
struct AffineRows {
    MatrixView x;
    const double *label = nullptr;
    double label_center = 0.0;
    arma::vec center;
    arma::vec scale;
    std::vector<double> row_scale;
    bool constant = false;

    /** Rows as they are. */
    [[nodiscard]] static AffineRows plain(const MatrixView &x, const double *label = nullptr) {
        const arma::vec zeros(x.cols, arma::fill::zeros);
        const arma::vec ones(x.cols, arma::fill::ones);
        return {x, label, 0.0, zeros, ones, {}, false};
    }

    [[nodiscard]] std::size_t rows() const { return x.rows; }
    [[nodiscard]] std::size_t dimension() const { return x.cols + (constant ? 1 : 0); }
};

}  // namespace dpadapt::linalg
