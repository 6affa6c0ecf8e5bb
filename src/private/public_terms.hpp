#pragma once

#include <limits>
#include <vector>

#include "private/metric.hpp"
#include "problem/public_sample.hpp"

namespace dpadapt {

/** Typical squares of coordinates where they are not 0: mean of z^4 over mean of z^2. A ridge in
 *  these units does not depend on the units of the coordinates, and it holds back those that few
 *  public records have. */
class TypicalSquares {
  public:
    explicit TypicalSquares(arma::uword n) : square_(n, arma::fill::zeros), fourth_(square_) {}

    /** Adds records, one a column, with their weights. */
    void add(const arma::mat &columns, const arma::rowvec &weight) {
        const arma::mat squares = arma::square(columns);
        square_ += squares * weight.t();
        fourth_ += arma::square(squares) * weight.t();
    }

    /** 1 for a coordinate that is always 0. */
    [[nodiscard]] arma::vec operator()() const {
        arma::vec sizes(square_.n_elem, arma::fill::ones);
        for (arma::uword j = 0; j < sizes.n_elem; ++j)
            if (fourth_(j) > std::numeric_limits<double>::min()) sizes(j) = fourth_(j) / square_(j);
        return sizes;
    }

  private:
    arma::vec square_;
    arma::vec fourth_;
};

/** The public records at a predictor, for a loss of linear scores, in units of the largest
 *  curvature of that loss. */
struct PublicTerms {
    std::vector<double> slope;      ///< norm of the gradient by the scores
    double kept_slope = 0.0;        ///< norm that the clip leaves alone
    std::vector<double> curvature;  ///< bound of the norm of the Hessian by the scores, in [0, 1]
    arma::vec sizes;                ///< typical squares of the features
    double loss = 0.0;              ///< mean
    arma::vec theta;

    PublicTerms(const PublicSample &sample, const arma::vec &at);
};

/** What a clip is weighed against: public numbers. */
struct ClipGoal {
    double records = 0.0;  ///< private ones
    double noise = 0.0;    ///< deviation of the mean of all mean gradients, in units of C; 0: none
};

struct ClipChoice {
    double quantile = 1.0;
    double moved = 0.0;  ///< squared distance by which clips move the public fit, as
                         ///< far as slopes are bounded
};

/** The quantile of the public gradients' norms at which clips lead to the least error: that of the
 *  option, or a larger one. With noise, sampling variance S(C) and what clips move the mean
 *  gradient of the public fit, b(C), the squared error of the estimate is
 *  (d noise^2 C^2 + S(C)/n + |b(C)|^2) / h(C)^2, where h(C) is the part of the curvature that is
 *  not clipped. Where few records pull one way, as those of a rare class do, a clip of all of them
 *  would move the fit. Of the squared loss, whose slopes have no bound, only noise is weighed, and
 *  against what of b(C) is not chance.
 *
 *  @param norms  Of the public gradients in that metric.
 *  @param rows   Of the public records in it. */
[[nodiscard]] ClipChoice choose_clip(const PublicSample &sample, const PublicTerms &terms,
                                     const Metric &metric, const std::vector<double> &norms,
                                     const std::vector<double> &rows, double least,
                                     const ClipGoal &goal);

}  // namespace dpadapt
