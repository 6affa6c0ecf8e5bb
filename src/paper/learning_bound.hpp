#pragma once

#include <vector>

#include "problem/prepared_problem.hpp"

namespace dpadapt::paper {

/** The right-hand side of the paper's learning bound (appendix, general learning bound), which with
 *  probability 1 - kFailure over the draw of both samples is no less than a predictor's expected
 *  loss on the target. All in units of the loss of records that are clipped to the bounds of the
 *  problem; `value` is the sum of the four terms after alpha. */
struct LearningBound {
    double value = 0.0;
    double alpha = 0.0;         ///< of the weights q = p
    double empirical = 0.0;     ///< sum_i q_i l(h(x_i), y_i)
    double discrepancy = 0.0;   ///< alpha d, d of the source's sample and the target
    double complexity = 0.0;    ///< of the ball of predictors: 2 Rad_q, and what alpha d lacks
    double confidence = 0.0;    ///< B ||q|| sqrt(log(2/eta)/2), and what alpha d lacks
    double largest_loss = 0.0;  ///< B
};

/** The bound for predictors with linear scores and a sample of a known target. The weights are the
 *  reference weights p, so that the terms with ||q - p||_1 are zero, and alpha is the one of 0,
 *  0.1, ..., 1 with the least bound; the ball is that of the problem or, for predictors outside of
 *  it, the first one of 2, 4, 8, ... times its radius that holds them. The probability of failure
 *  is divided among all of these. */
class LearningBounds {
  public:
    static constexpr double kFailure = 0.05;  ///< eta

    /** Borrows all of them.
     *  @param domains  The source's sample and all rows of the target, clipped.
     *  @param sample   Rows drawn from the target, prepared alike.
     *  @param n        How many they stand for. */
    LearningBounds(const PreparedProblem &domains, const PreparedSample &sample, double n,
                   const Settings &settings, Control &control);

    /** Mean loss on all rows of the target. */
    [[nodiscard]] double target_loss(const arma::vec &theta) const;

    /** @param theta  In the coordinates of the problem, one score after the other. */
    [[nodiscard]] LearningBound operator()(const arma::vec &theta);

  private:
    /** The hypotheses theta with ||theta|| <= radius. */
    struct Ball {
        double radius;
        double failure;  ///< its share of eta
        loss::Bounds bounds;
        double discrepancy;
    };

    [[nodiscard]] const Ball &ball_of(double norm);
    [[nodiscard]] double discrepancy(double radius) const;

    const PreparedProblem &domains_;
    const PreparedSample &sample_;
    LossRows sample_rows_;
    const Settings &settings_;
    Control &control_;
    double m_;
    double n_;
    std::vector<Ball> balls_;
};

}  // namespace dpadapt::paper
