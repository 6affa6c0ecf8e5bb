#pragma once

#include <limits>

#include "loss/score_loss.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt {

/** How gradients are taken: of rows zeta = map z at v, in units of `unit`, clipped to norm `clip`;
 *  without a map zeta is z. A clipped gradient has no curvature. */
struct GradientRule {
    arma::mat map;
    double unit = 1.0;
    double clip = std::numeric_limits<double>::infinity();
};

/** Means over the rows of a sample, of a loss with one linear score. */
struct RowSums {
    arma::vec gradient;
    arma::mat curvature;
    double loss = 0.0;
};
[[nodiscard]] RowSums row_sums(const PreparedSample &rows, const loss::ScoreLoss &loss,
                               const arma::vec &v, const GradientRule &rule = {});

/** Of what squares tell where rows have weights: of one gradient, or, in units of 1/n, of their
 *  weighted mean. */
enum class SquareOf { gradient, mean };

/** Mean of the squares g g' of the gradients.
 *  @param inverse  Of the mean curvature; unless it is empty, a row's gradient is divided by 1 - h,
 *                  with h the share that the row has in that curvature in its own direction
 *                  (HC3). */
[[nodiscard]] arma::mat mean_square(const PreparedSample &rows, const loss::ScoreLoss &loss,
                                    const arma::vec &v, const GradientRule &rule,
                                    const arma::mat &inverse, SquareOf of);

/** Of each row |zeta|^2 times its curvature, clipped or not. */
[[nodiscard]] std::vector<double> curvature_sizes(const PreparedSample &rows,
                                                  const loss::ScoreLoss &loss, const arma::vec &v,
                                                  const GradientRule &rule);

/** The mean curvature with every row's shrunk to `most` of these. */
[[nodiscard]] arma::mat shrunk_curvature(const PreparedSample &rows, const loss::ScoreLoss &loss,
                                         const arma::vec &v, const GradientRule &rule, double most);

}  // namespace dpadapt
