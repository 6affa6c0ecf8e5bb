#pragma once

#include <array>
#include <limits>

#include "linalg/arma.hpp"
#include "objective/weigh.hpp"
#include "private/metric.hpp"

namespace dpadapt {

/** Quantile of the chi-squared distribution of d degrees of freedom, at z standard deviations of a
 *  normal one (Wilson and Hilferty, 1931). */
[[nodiscard]] double chi_squared(double d, double z);

/** How well a difference from the anchor is known: variances of a coordinate. */
struct ShiftVariance {
    double estimate = 0.0;  ///< of the private estimate: noise and sampling
    double anchor = 0.0;    ///< of the anchor: sampling
    double record = 0.0;    ///< of one record without noise
};

/** The shift between the domains' optima, estimated as a difference from the anchor, moved to zero
 *  as far as errors can explain it: a thresholded James-Stein rule, for the intercepts and for
 *  everything else apart, because the mean often moves when nothing else does. What is believed to
 *  be no shift is pooled: the two optima are then one, and each estimate counts by its variance.
 *
 *  Where the private sample is the source, the roles are exchanged: the anchor is the target's own
 *  fit, and the estimate is of the other domain. It counts by its variance and by that of the
 *  shift, so that the more the domains differ, the less of it is taken. */
class ShiftRule {
  public:
    /** @param estimated   The domain whose optimum is estimated.
     *  @param deviations  of noise that a difference must exceed at most; fewer where a false
     *                     belief costs little; 0: every difference is believed. */
    ShiftRule(const Metric &metric, bool intercept, privacy::Domains estimated, double deviations);

    struct Kept {
        arma::vec shift;
        double share = 0.0;  ///< of the directions without intercept
    };
    [[nodiscard]] Kept operator()(const arma::vec &difference, const ShiftVariance &variance) const;

  private:
    [[nodiscard]] double threshold(double parameters, const ShiftVariance &variance) const;
    [[nodiscard]] double kept(double square, double dimension, const ShiftVariance &variance,
                              double deviations) const;

    privacy::Domains estimated_;
    arma::uword blocks_;
    arma::vec intercept_;  ///< its direction in a block, of norm 1; empty: not apart
    double deviations_;
};

/** The scalars that couple the weights (kappa_2, kappa_inf, lambda_2, lambda_inf) in a private
 *  descent: functions of two sums over all records, of which the private part is released beside
 *  the gradient. */
class Coupling {
  public:
    /** A sample: its records and their reference weight. */
    struct Part {
        std::size_t rows;
        double p;
    };

    /** @param unit  Largest reference weight of a private record. */
    Coupling(const Penalty &penalty, const std::array<Part, 2> &parts, double unit);

    /** Of no use where the penalty does not couple weights. */
    [[nodiscard]] WeightScalars start() const { return start_; }

    using Sums = CouplingTerms::Sums;

    /** What a record adds. */
    [[nodiscard]] const CouplingTerms &terms() const { return terms_; }

    /** What a private record adds at most. */
    [[nodiscard]] Sums largest(const WeightScalars &scalars) const {
        return terms_.largest(unit_, scalars);
    }

    [[nodiscard]] WeightScalars next(const WeightScalars &scalars, const Sums &sums) const;

  private:
    [[nodiscard]] double next_cap(const ConvexPrices &prices, double t, double excess) const;
    [[nodiscard]] double log_sum(const LinearPrices &prices, double soft) const;

    CouplingTerms terms_;
    std::array<Part, 2> parts_;
    double unit_;
    double largest_soft_ = 0.0;
    WeightScalars start_;  ///< at q = p, the largest that they can be
};

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

}  // namespace dpadapt
