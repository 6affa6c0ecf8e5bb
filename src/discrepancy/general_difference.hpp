#pragma once

#include <vector>

#include "problem/prepared_problem.hpp"

namespace dpadapt {

/** A sample's mean loss as a function of theta. */
class MeanLoss {
  public:
    /** Borrows both; `rows` are those of the sample. */
    MeanLoss(const LossRows &rows, const PreparedSample &sample);

    [[nodiscard]] double at(const arma::vec &theta);
    [[nodiscard]] double at(const arma::vec &theta, arma::vec &gradient);

    /** Means over the records of the bounds of each one's own loss, for ||theta|| <= reach. */
    [[nodiscard]] loss::Bounds bounds(double reach) const;

  private:
    const LossRows &rows_;
    const PreparedSample &sample_;
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

}  // namespace dpadapt
