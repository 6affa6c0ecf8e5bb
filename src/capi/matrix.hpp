#pragma once

#include <dpadapt/types.h>

#include <cstdint>

#include "linalg/matrix_view.hpp"

namespace dpadapt::capi {

/** A matrix as the caller describes it. */
struct CallerMatrix {
    const double *x;
    std::size_t rows;
    std::size_t cols;
    std::size_t leading_dimension;
    std::int32_t layout;
};

/** Throws Error(DPA_E_EMPTY) for no rows or columns, Error(DPA_E_OVERFLOW) for too many. */
void check_sizes(std::size_t rows, std::size_t cols);

/** The matrix after all checks but that of its pointer: layout, sizes, leading dimension. */
[[nodiscard]] linalg::MatrixView checked_shape(const CallerMatrix &matrix);

/** The same after all checks that need no reading of it. */
[[nodiscard]] linalg::MatrixView checked_matrix(const CallerMatrix &matrix);

/** The same of rows elsewhere, up to 2^40; `name` is theirs. */
void check_sizes_elsewhere(std::size_t rows, std::size_t cols, const char *name);

}  // namespace dpadapt::capi
