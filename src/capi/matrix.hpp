#pragma once

#include <dpadapt/types.h>

#include <cstdint>

#include "linalg/matrix_view.hpp"

namespace dpadapt::capi {

/** A caller's matrix after all checks that need no reading of it: layout, emptiness, overflow,
 *  leading dimension, pointer. */
[[nodiscard]] linalg::MatrixView checked_matrix(const double *x, std::size_t rows, std::size_t cols,
                                                std::size_t leading_dimension, std::int32_t layout);

}  // namespace dpadapt::capi
