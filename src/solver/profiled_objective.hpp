#pragma once

#include <array>
#include <vector>

#include "problem/prepared_problem.hpp"
#include "solver/weights.hpp"

namespace dpadapt {

/** The objective of `opt-private-convex` at a predictor w, with the weights at their best for w.
 *
 *      g(w) = min_{s,t} sum_i phi_i(c_i(w); s, t) + kappa_2 s/2 + kappa_inf t
 *
 *  is convex: (w, s, t) -> g is the partial minimum over q of a jointly convex function, because
 *  c/u with u = 1/q is quadratic over linear, 1/(s u^2) is convex for positive arguments, and q <=
 *  t means u t >= 1. By the envelope theorem its gradient is sum_i 2 q_i r_i z_i with the
 *  minimizing q. */
class ProfiledObjective {
  public:
    ProfiledObjective(const PreparedProblem &problem, double discrepancy);

    /** Everything known at one predictor. */
    struct Point {
        arma::vec w;
        std::vector<double> residual;  ///< source rows, then target rows
        WeightScalars scalars;
        double value = 0.0;  ///< objective F at w and its best weights
        arma::vec gradient;
        double lower = 0.0;  ///< proven lower bound of the minimum over the ball
    };

    [[nodiscard]] Point evaluate(arma::vec w, const WeightScalars &start) const;

    /** Evaluates at a point whose residuals are known. */
    [[nodiscard]] Point evaluate(arma::vec w, std::vector<double> residual,
                                 const WeightScalars &start) const;

    /** Value and slope of g along residual + step * direction, without reading the data. */
    struct LineValue {
        double value = 0.0;
        double slope = 0.0;
    };
    [[nodiscard]] LineValue along(const Point &from, const std::vector<double> &direction,
                                  double step) const;

    /** Second derivative of the objective at fixed s and t. The share of each row's curvature that
     *  its falling weight takes away is limited to 1 - floor: floor = 0 is Newton's matrix, floor =
     *  1 the weighted Gram matrix, an upper bound of the objective that never overshoots. */
    [[nodiscard]] arma::mat curvature(const Point &point, double floor) const;

    /** q_i, source rows then target rows. */
    [[nodiscard]] std::vector<double> weights(const Point &point) const;

    /** The objective if every residual were 0: what the discrepancy costs at least, a constant. */
    [[nodiscard]] double value_without_loss() const;

    [[nodiscard]] std::size_t rows() const { return source_rows_ + target_rows_; }
    [[nodiscard]] std::size_t source_rows() const { return source_rows_; }
    [[nodiscard]] double radius() const { return radius_; }

  private:
    [[nodiscard]] std::array<CostRows, 2> costs(const std::vector<double> &residual) const;
    [[nodiscard]] double value_at(std::span<const CostRows> samples,
                                  const WeightScalars &scalars) const;
    void finish(Point &point) const;

    const PreparedProblem &problem_;
    WeightPrices prices_;
    double discrepancy_;
    double radius_;
    double source_weight_;  ///< p_i of a source row
    double target_weight_;
    std::size_t source_rows_;
    std::size_t target_rows_;
};

}  // namespace dpadapt
