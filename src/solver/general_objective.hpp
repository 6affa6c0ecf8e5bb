#pragma once

#include <vector>

#include "linalg/smooth_minimum.hpp"
#include "problem/prepared_problem.hpp"
#include "solver/general_weights.hpp"

namespace dpadapt {

/** The general form `opt-private-non-convex` as a function of the predictor alone: J(theta) = min
 *  over q of J(theta, q).
 *
 *  By the envelope theorem its gradient is that of the weighted loss at the best weights, and as
 *  J(., q) lies above it for every q, a step that lowers the weighted loss lowers it as much:
 *  minimizing it is the alternation between weights and predictor, with the weights renewed at
 *  every step. */
class GeneralObjective : public linalg::SmoothFunction {
  public:
    GeneralObjective(const PreparedProblem &problem, double discrepancy);

    /** The part of a public sample alone, whose records weigh p at most and cost d besides their
     *  loss; the `absent` other records have no weight. */
    GeneralObjective(const PublicSample &sample, const Hyperparameters &hyper, double p, double d,
                     std::size_t absent);

    double evaluate(const arma::vec &theta, arma::vec &gradient) override;

    /** Hessian of the weighted loss; empty unless Newton's method is used. */
    arma::mat curvature(const arma::vec &theta) override;

    /** The best weights at the point evaluated last: source rows, then target rows. */
    [[nodiscard]] const std::vector<double> &weights() const { return q_; }

    /** Whether they are the reference weights everywhere. */
    [[nodiscard]] bool keeps_reference() const;

  private:
    struct Part {
        const LossRows *rows;
        double p;  ///< reference weight
        double d;  ///< what a record costs besides its loss
        std::size_t begin;
    };

    void find_weights();
    [[nodiscard]] double value_at_reference() const;

    Hyperparameters hyper_;
    bool newton_;
    std::vector<Part> parts_;
    std::vector<double> absent_;  ///< costs of records without weight
    std::vector<double> q_;
    std::vector<double> losses_;
    double value_ = 0.0;
};

}  // namespace dpadapt
