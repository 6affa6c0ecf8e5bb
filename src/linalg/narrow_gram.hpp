#pragma once

#include <cstddef>

namespace dpadapt::linalg {

/** Up to this size the products of columns with themselves are faster here than in BLAS, which has
 *  no kernels for so few rows, and takes its oldest on a processor that it does not know. */
inline constexpr std::size_t kNarrow = 48;

/** How far apart columns of that size are to be. */
constexpr std::size_t narrow_stride(std::size_t size) { return (size + 7) / 8 * 8; }

/** gram += sum_i z_i z_i' over count columns of size <= kNarrow numbers, narrow_stride(size) apart,
 *  with any numbers in between. The lower triangle of a matrix of size^2 numbers; the same bits on
 *  every processor. */
void add_narrow_gram(std::size_t size, std::size_t count, const double *z, double *gram);

}  // namespace dpadapt::linalg
