#pragma once

#include "linalg/matrix_view.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** out[i + k * rows] = x_i . coefficients_k + intercept_k. */
void predict(const Solution &solution, const linalg::MatrixView &x, double *out);

}  // namespace dpadapt
