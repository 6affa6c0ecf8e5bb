#pragma once

#include <span>
#include <vector>

#include "evaluate/evaluation.hpp"
#include "records/error_terms.hpp"

namespace dpadapt::evaluate {

/** Scores, then labels, of at most records::kMostReferences of the rows that have an error. */
[[nodiscard]] std::vector<double> concordance_rows(std::span<const RowError> errors);

/** Harrell's C: of the pairs of rows of which one has an event before the other's time, the share
 *  in which that one has the larger score; equal scores are half of that. Its variance is that of
 *  the rows' own parts (Hoeffding's projection). */
[[nodiscard]] Interval concordance(std::span<const RowError> errors, double confidence);

/** The same of rows P that are known by their mean shares of pairs with reference rows Q. The share
 *  of concordant pairs is twice that of P with Q, less that of Q with itself, but for a term of
 *  second order in P - Q. Its sampling variance is that of Q's rows.
 *  @param mean   Of the pairs of P with Q, in both orders, with noise of that deviation.
 *  @param rows   How many P has. */
[[nodiscard]] Interval concordance(const records::PairShares &mean, double noise,
                                   std::span<const double> reference, std::size_t rows,
                                   double confidence);

}  // namespace dpadapt::evaluate
