#pragma once

#include <cstddef>

namespace dpadapt::linalg {

/** Up to this size the products of columns with themselves are faster here than in BLAS, which has
 *  no kernels for so few rows, and takes its oldest on a processor that it does not know. */
inline constexpr std::size_t kNarrow = 48;

/** gram += sum_i weight_i z_i z_i' over count columns z_i of size <= kNarrow numbers, stride apart;
 *  weights are not negative, 1 when weight is NULL. The lower triangle of a matrix of size^2
 *  numbers; the same bits on every processor. */
void add_narrow_gram(std::size_t size, std::size_t stride, std::size_t count, const double *z,
                     const double *weight, double *gram);

}  // namespace dpadapt::linalg
