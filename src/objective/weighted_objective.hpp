#pragma once

#include <algorithm>
#include <vector>

#include "linalg/smooth_minimum.hpp"
#include "objective/penalty.hpp"

namespace dpadapt {

/** The objective as a function of the predictor alone: F(theta) = min over q of F(theta, q), the
 *  weighted loss plus the discrepancy that source records cost plus the penalty of the weights.
 *
 *  By the envelope theorem its gradient is that of the weighted loss at the best weights, and as
 *  F(., q) lies above it for every q, a step that lowers the weighted loss lowers it as much.
 *
 *  With the convex penalty and the squared loss F is convex: it is the partial minimum over q, s
 *  and t of a jointly convex function, because c/u with u = 1/q is quadratic over linear, 1/(s u^2)
 *  is convex for positive arguments, and q <= t means u t >= 1. */
class WeightedObjective : public linalg::SmoothFunction {
  public:
    WeightedObjective(const PreparedProblem &problem, const Hyperparameters &hyper,
                      double discrepancy);

    /** The part of a public sample alone, whose records weigh p at most and cost d besides their
     *  loss; the `absent` other records have no weight. */
    WeightedObjective(const PublicSample &sample, const Hyperparameters &hyper, double p, double d,
                      std::size_t absent);

    double evaluate(const arma::vec &theta, arma::vec &gradient) override;

    /** Empty unless Newton's method is used. The share of each row's curvature that its falling
     *  weight takes away is limited to 1 - floor: floor = 0 is Newton's matrix, floor = 1 the
     *  Hessian of the weighted loss, an upper bound of the objective of which no step is too long.
     *  The floor falls as long as full steps are taken. */
    arma::mat curvature(const arma::vec &theta) override;

    /** Of the loss with the weights at the point evaluated last. */
    arma::vec diagonal(const arma::vec &theta) override;

    [[nodiscard]] double slack() const override { return slack_; }

    /** The objective if every loss were 0: what the discrepancy costs at least. */
    [[nodiscard]] double offset() const override { return offset_; }

    /** Whether that is the point evaluated last. */
    [[nodiscard]] bool is_at(const arma::vec &theta) const {
        return std::equal(at_.begin(), at_.end(), theta.begin(), theta.end());
    }

    /** The best weights at the point evaluated last: source rows, then target rows. */
    [[nodiscard]] const std::vector<double> &weights() const { return q_; }
    [[nodiscard]] const WeightScalars &scalars() const { return scalars_; }

  private:
    struct Part {
        const LossRows *rows;
        double p;  ///< reference weight, or its mean where the user's weights differ
        double d;  ///< what a record costs besides its loss
        std::size_t begin;

        /** Of these rows, whose costs are given. */
        [[nodiscard]] PricedRows priced(std::span<const double> cost, std::size_t first = 0) const {
            const std::vector<double> &relative = rows->sample().relative();
            return {cost, p, relative.empty() ? nullptr : relative.data() + first};
        }
    };

    void allocate(std::size_t rows);
    void find_weights();

    /** Where those of a part are kept; null without Newton's method. */
    [[nodiscard]] double *scores_of(const Part &part) {
        return newton_ ? scores_.data() + part.begin : nullptr;
    }
    [[nodiscard]] double value_at_reference() const;

    /** The costs of every sample, the records without weight first. */
    [[nodiscard]] std::vector<PricedRows> priced_rows() const;

    Penalty penalty_;
    bool newton_;
    std::vector<Part> parts_;
    std::vector<double> absent_;  ///< costs of records without weight
    std::vector<double> q_;
    std::vector<double> losses_;
    std::vector<double> cost_;    ///< losses_ with d; empty where no weight can change
    std::vector<double> scores_;  ///< at the point evaluated last; empty without Newton's method
    arma::vec at_;
    WeightScalars scalars_;
    double value_ = 0.0;
    double slack_ = 0.0;
    double offset_ = 0.0;
    double floor_ = 1.0;
    int evaluations_ = 0;  ///< since the curvature was asked for
};

}  // namespace dpadapt
