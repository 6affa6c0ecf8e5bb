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

/** The same after all checks that need no reading of it: layout, emptiness, overflow, leading
 *  dimension, pointer. */
[[nodiscard]] linalg::MatrixView checked_matrix(const CallerMatrix &matrix);

}  // namespace dpadapt::capi
