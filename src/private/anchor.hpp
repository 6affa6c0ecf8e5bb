#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "objective/left_out.hpp"
#include "private/long_losses.hpp"
#include "problem/settings.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt {

/** What public rows, each left out in turn, say of their own fit, and, where they are the target's,
 *  of a private source. */
class LeftOutRows {
  public:
    /** Borrows the sample, whose loss must have one linear score.
     *  @param seed  Of the rows that are left out where there are very many. */
    LeftOutRows(const PublicSample &sample, std::uint64_t seed);

    struct Fit {
        arma::vec theta;
        double alpha = 0.0;                                      ///< share of the estimate
        double loss = std::numeric_limits<double>::quiet_NaN();  ///< of rows left out
    };

    /** The fit of least error with a ridge, or the plain one if that is worse by less than this
     *  share: where rows are few for the features the plain fit is useless, and its residuals
     *  have no scale. */
    [[nodiscard]] Fit own_fit(double clearly) const;

    /** The rule of fits without privacy: as how many rows of the target does the estimate count,
     *  and with which ridge on its side? Nothing, if a fit without it does better.
     *  @param curvature  Of the source's mean loss.
     *  @param estimate   Of its minimum.
     *  @param most       What it counts as where the domains are equal. */
    [[nodiscard]] Fit combine(const arma::mat &curvature, const arma::vec &estimate,
                              double most) const;

  private:
    /** Fits that were tried, and the losses of rows left out of them. */
    struct Tried {
        std::vector<Fit> fits;
        LeftOutChoice choice;
    };
    void try_own(Tried &tried) const;
    void try_sizes(SourcePrior prior, double most, double least, bool own, Tried &tried) const;

    const PublicSample &sample_;
    bool closed_form_;
    double count_;
    ColumnRows rows_;
};

/** Whether rows can be left out of fits to that sample without further fits. */
[[nodiscard]] bool has_left_out_rows(const PublicSample &sample);

/** Whether that is so, and rows are few for the features: below 20 a parameter. */
[[nodiscard]] bool few_rows(const PublicSample &sample);

/** A mean of several measurements, each by its variance. */
struct MeasuredMean {
    arma::vec sum;
    double weight = 0.0;  ///< 0: there are none

    void add(const arma::vec &value, double deviation);
    [[nodiscard]] arma::vec value() const { return sum / weight; }
    [[nodiscard]] double deviation() const { return 1.0 / std::sqrt(weight); }
    /** Whether noise explains a number. */
    [[nodiscard]] bool is_nothing() const {
        constexpr double kDeviations = 2.0;  // docs/defaults.md
        return weight > 0.0 && value()(0) < kDeviations * deviation();
    }
};

/** Where private steps start, and what the choice has told and taken. */
struct Anchor {
    arma::vec theta;
    arma::vec plain;                      ///< the public fit, which none of the records chose
    arma::vec rest;                       ///< the result where no shift is kept
    std::optional<double> labelled = {};  ///< of PrivateRun, where it is known now
    std::uint64_t steps = 0;              ///< of the plan, that were used for the choice
    MeasuredMean counted = {};            ///< records with a label, as released
    std::optional<LongLosses> long_losses = {};  ///< of PrivateRun
    bool fails = false;                          ///< the public fit, on private records
};

/** The public predictor from which private steps start and towards which they are shrunk: the
 *  public fit, or another one if the mean loss of the private records, released with noise, is
 *  lower by more than the noise explains: one with a ridge or, of classes, zero, which gives all
 *  the same score. A ridge loses little on the public records and may extrapolate far better; a
 *  predictor that is sure of wrong classes is worse than zero, and its Hessian says nothing of the
 *  way back. Public records cannot tell.
 *
 *  Losses are clipped to a quantile of the public records' losses at the public fit, of classes to
 *  1.5 times the loss of zero at least. A record moves
 *  the vector of K mean losses by sqrt(K)/n of that at most; one release, and where it shows that
 *  few records have labels, some of those of the steps. Without it in the plan,
 *  because the noise would hide every difference, the public fit. */
[[nodiscard]] Anchor choose_anchor(const PrivateRun &run, const Settings &settings);

/** Mean losses of public predictors on the private target, from one release or several, and how
 *  many of its records have a label. Without labels records are nothing to sums of losses and to
 *  gradients, so few labels need more of the budget for this than the plan, which knows all records
 *  only, has set aside. Then the first of the steps ask this question too instead of that for a
 *  gradient: the releases of the plan with the same vectors of norm at most 1, at the same price,
 *  so what was asked may depend on what was released. */
class Comparison {
  public:
    /** Makes the release of the plan.
     *  @param bound         Of losses.
     *  @param counts        Whether the number of labelled records is not known, nor released.
     *  @param asked_share   Of mu^2 for this; empty: by the number of labelled records. */
    Comparison(const PrivateRun &run, std::vector<arma::vec> predictors, double bound, bool counts,
               std::optional<double> asked_share);

    /** The predictor of least loss; another than the first one if it is better by more than noise
     *  explains. */
    [[nodiscard]] const arma::vec &best() const { return predictors_[best_place()]; }

    /** The mean loss of a predictor, as released. */
    [[nodiscard]] ShareOfBound share(std::size_t place) const;

    /** Where losses of that predictor are far longer than public ones: asks by some steps. */
    [[nodiscard]] std::optional<LongLosses> long_losses();

    /** Empty where noise does not tell them from all records. */
    [[nodiscard]] std::optional<double> labelled() const;

    /** Records with a label, as released, where they are counted. */
    [[nodiscard]] const MeasuredMean &counted() const { return count_; }

    /** Steps of the plan that were used. */
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

  private:
    void compare(random::Purpose purpose, std::uint64_t step, const privacy::VectorGrid &grid,
                 double counted, std::size_t coordinates);
    [[nodiscard]] std::size_t best_place() const;
    [[nodiscard]] bool few_labels() const;
    [[nodiscard]] std::uint64_t further_steps(std::optional<double> asked_share) const;

    const PrivateRun &run_;
    std::vector<arma::vec> predictors_;
    double bound_;
    bool counts_;
    records::Reader rows_;
    MeasuredMean losses_;
    MeasuredMean count_;
    std::uint64_t steps_ = 0;
};

}  // namespace dpadapt
