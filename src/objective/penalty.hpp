#pragma once

#include <limits>
#include <variant>

#include "loss/score_loss.hpp"
#include "objective/convex_weights.hpp"
#include "objective/linear_weights.hpp"
#include "problem/prepared_problem.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt {

/** Of weights that leave their reference. */
using Prices = std::variant<ConvexPrices, LinearPrices>;

/** Whether weights depend on each other at these prices. */
[[nodiscard]] inline bool couples(const Prices &prices) {
    return std::visit([](const auto &any) { return any.coupled(); }, prices);
}

/** The best weight of a record, a function of its own cost. */
class WeightRule {
  public:
    explicit WeightRule(const std::variant<ConvexRule, LinearRule> &rule) : rule_(rule) {}

    /** In [0, p]. */
    [[nodiscard]] double weight(double cost, double p) const {
        if (p == 0.0) return 0.0;
        const auto *convex = std::get_if<ConvexRule>(&rule_);
        return convex != nullptr ? p * convex->share(cost, p)
                                 : std::get_if<LinearRule>(&rule_)->weight(cost, p);
    }

    /** The same in units of p > 0. */
    [[nodiscard]] double share(double cost, double p) const {
        const auto *convex = std::get_if<ConvexRule>(&rule_);
        return convex != nullptr ? convex->share(cost, p)
                                 : std::get_if<LinearRule>(&rule_)->weight(cost, p) / p;
    }

  private:
    std::variant<ConvexRule, LinearRule> rule_;
};

[[nodiscard]] inline WeightRule rule_at(const Prices &prices, const WeightScalars &scalars) {
    return std::visit([&](const auto &any) { return WeightRule(any.rule(scalars)); }, prices);
}

/** Mean charge for losses whose weights have mean 1 (empty: are equal), each row on its own and
 *  kappa_1 > 0: Huber's loss (convex penalty), losses trimmed at lambda_1, else the losses. */
[[nodiscard]] double mean_charge(const Hyperparameters &hyper, std::span<const double> losses,
                                 std::span<const double> relative = {});

/** What the objective charges for weights q that leave their reference p: the kappas of the convex
 *  objective (Algorithm 1) or the lambdas of the general one (Algorithm 2). */
class Penalty {
  public:
    explicit Penalty(const Hyperparameters &hyper);

    /** Whether no weight can leave p. */
    [[nodiscard]] bool keeps_reference() const;

    [[nodiscard]] bool is_convex() const { return std::holds_alternative<ConvexPrices>(prices_); }

    /** Whether weights depend on each other. */
    [[nodiscard]] bool couples() const { return dpadapt::couples(prices_); }

    [[nodiscard]] WeightRule rule(const WeightScalars &scalars) const {
        return rule_at(prices_, scalars);
    }

    /** The weights of one sample where they do not depend on each other; returns what its rows add
     *  to the objective. */
    double weigh(const PricedRows &rows, double *q) const;

    /** See reduce_convex. Where the weights of the linear penalty change, a quadratic model of
     *  their objective does without it. */
    void reduce_curvature(const PricedRows &rows, const WeightScalars &scalars, const double *q,
                          const double *slope, double floor, double *curvature) const {
        if (const auto *convex = std::get_if<ConvexPrices>(&prices_))
            reduce_convex(*convex, rows, scalars, q, slope, floor, curvature);
    }

    /** Searches for the scalars from `start`, if it can use one. */
    [[nodiscard]] BestWeights best_weights(std::span<const PricedRows> samples,
                                           const WeightScalars &start) const;

    /** By how much the objective, minimized over the scalars as well, may be lower than at these:
     *  what a duality gap must add for an inexact search. */
    [[nodiscard]] double slack(std::span<const PricedRows> samples,
                               const WeightScalars &scalars) const;

    [[nodiscard]] const Prices &prices() const { return prices_; }

  private:
    Prices prices_;
};

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
