#pragma once

#include <vector>

#include "discrepancy/estimate.hpp"
#include "loss/choice.hpp"
#include "problem/prepared_problem.hpp"
#include "problem/preprocess.hpp"

namespace dpadapt {

/** max over a ball of |L_target(theta) - L_source(theta)| for any loss, as far as it can be told:
 *  the largest value of ascents from the best of the public predictors, which is a lower bound, and
 *  an upper bound from the bounds of the losses. The maximizer is empty unless the parameters are
 *  the coefficients of one linear score. */
[[nodiscard]] Discrepancy estimate_general_discrepancy(const PreparedProblem &problem,
                                                       const Settings &settings, Control &control);

/** A sample's mean loss as a function of theta. */
class MeanLoss {
  public:
    /** Borrows the rows. */
    explicit MeanLoss(const LossRows &rows)
        : rows_(rows), weight_(rows.sample().shares()), losses_(rows.rows()) {}

    [[nodiscard]] double at(const arma::vec &theta);
    [[nodiscard]] double at(const arma::vec &theta, arma::vec &gradient);

    /** Means over the records of the bounds of each one's own loss, for ||theta|| <= reach. */
    [[nodiscard]] loss::Bounds bounds(double reach) const;

  private:
    const LossRows &rows_;
    std::vector<double> weight_;
    std::vector<double> losses_;
};

/** L_target - L_source for any loss. */
class GeneralDifference {
  public:
    /** Borrows the problem. */
    explicit GeneralDifference(const PreparedProblem &problem);

    [[nodiscard]] double at(const arma::vec &theta) {
        return target_.at(theta) - source_.at(theta);
    }
    [[nodiscard]] double at(const arma::vec &theta, arma::vec &gradient);

    /** Bounds over ||theta|| <= reach of its absolute value and of its first two derivatives. */
    [[nodiscard]] loss::Bounds bounds(double reach) const;

    /** Bound on what rounding can have changed at theta, ||theta|| <= reach; what happens within a
     *  caller's loss is not known. */
    [[nodiscard]] double rounding(const arma::vec &theta, const loss::Bounds &bounds);

  private:
    MeanLoss target_;
    MeanLoss source_;
    bool convex_;
    double terms_;  ///< of a sum over the larger sample, and some more
};

/** Centre of the ball of a discrepancy among the parameters of any loss; `fit` is that of the
 *  public sample, empty if there is none. Throws Error(DPA_E_OPTION) for coefficients where the
 *  parameters are no linear predictor. */
[[nodiscard]] arma::vec center_of_parameters(const Preprocess &preprocess,
                                             const loss::Choice &choice, std::size_t parameters,
                                             const arma::vec &fit, const Settings &settings);

/** H_0, points of the ball that public data alone decide: the centre; 1/4, 1/2, 1 and 2 times the
 *  fit and its negative, projected on the ball; random directions at random distances, always the
 *  same. All are different. */
[[nodiscard]] std::vector<arma::vec> public_predictors(const arma::vec &center, double radius,
                                                       const arma::vec &fit);

}  // namespace dpadapt
