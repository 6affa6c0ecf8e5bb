#pragma once

#include <span>

/** What is computed for one record, in a fixed order of operations. */
namespace dpadapt::records {

/** a . b in eight sums side by side, added up in a fixed order. */
[[nodiscard]] double product(const double *a, const double *b, std::size_t n);

/** out = scale (x - center), one by one; x and out may be the same. Returns the sum of the sizes of
 *  x, in no particular order. */
[[nodiscard]] double center_and_scale(std::size_t n, const double *x, const double *center,
                                      const double *scale, double *out);

/** to += factor column. */
void add_column(double factor, const double *column, std::size_t n, double *to);

/** vector *= factor, or less where that leaves more than `most`. */
void scale_within(std::span<double> vector, double factor, double most);

/** factor, or less where a vector of that norm times it is longer than `most`. */
[[nodiscard]] double factor_within(double norm, double factor, double most);

/** out = factor vector. */
void multiply(double factor, const double *vector, std::size_t n, double *out);

}  // namespace dpadapt::records
