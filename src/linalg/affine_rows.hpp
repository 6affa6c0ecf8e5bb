#pragma once

#include <vector>

#include "linalg/arma.hpp"
#include "linalg/matrix_view.hpp"

namespace dpadapt::linalg {

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

    [[nodiscard]] std::size_t rows() const { return x.rows; }
    [[nodiscard]] std::size_t dimension() const { return x.cols + (constant ? 1 : 0); }
};

}  // namespace dpadapt::linalg
