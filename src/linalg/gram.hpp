#pragma once

#include <cstddef>

#include "linalg/matrix_view.hpp"

namespace dpadapt::linalg {

/** Writes the rows z_i, begin <= i < end, as the columns of a matrix of rows.dimension() rows,
 *  followed by a row of labels if asked for. */
void fill_block(const AffineRows &rows, std::size_t begin, std::size_t end, bool with_label,
                arma::mat &block);

/** The power of two that is as large as the number or less, and more than half of it; 1 for none.
 *  Divided by it numbers keep their digits, and so do their roots in other such units. */
[[nodiscard]] double power_of_two(double number);

/** sum_i weight_i z_i z_i' (weights 1 when weight is NULL), with the label as last coordinate if
 *  asked for. One reading of the data, block by block; the product of many features is BLAS's. */
[[nodiscard]] arma::mat weighted_gram(const AffineRows &rows, const double *weight,
                                      bool with_label);

/** The same of columns that are there. */
[[nodiscard]] arma::mat weighted_gram(arma::mat columns, const double *weight);

/** ||map z_i|| for every row. */
[[nodiscard]] std::vector<double> mapped_norms(const AffineRows &rows, const arma::mat &map);

}  // namespace dpadapt::linalg
