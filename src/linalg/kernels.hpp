#pragma once

#include <cstddef>

#include "base/multiversion.hpp"
#include "linalg/matrix_view.hpp"

namespace dpadapt::linalg {

/** Rows that a fused pass takes at a time. Row-major blocks stay in the first-level cache between
 *  their two uses; column-major ones are longer, since each column of a block starts a new stream.
 */
[[nodiscard]] std::size_t rows_per_block(const MatrixView &x);

/** out[i - begin] = x_i . v for the rows begin <= i < end. */
void row_products(const MatrixView &x, const double *v, std::size_t begin, std::size_t end,
                  double *out);

/** u += sum_{begin <= i < end} a[i - begin] x_i. */
void add_weighted_rows(const MatrixView &x, const double *a, std::size_t begin, std::size_t end,
                       double *u);

/** Sum of the values and of their sizes. */
struct Totals {
    double sum = 0.0;
    double size = 0.0;
};
[[nodiscard]] Totals totals_of(const double *values, std::size_t n);

}  // namespace dpadapt::linalg
