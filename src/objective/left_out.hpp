#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "problem/prepared_problem.hpp"

namespace dpadapt {

/** The source's loss as a quadratic function of the predictor: half of (w - center)' curvature
 *  (w - center), in units of the mean loss. */
struct SourcePrior {
    arma::mat curvature;
    arma::vec center;
};

/** The mean loss of the source, with the ridge of its fit, to second order around a predictor, of
 *  the squared loss exactly, plus ridge/2 ||w||^2, the ridge in units of the mean curvature. Where
 *  the scores are linear. */
[[nodiscard]] SourcePrior source_prior(const PublicSample &source, double ridge,
                                       const arma::vec &around);

/** Rows as columns, with their labels. */
struct ColumnRows {
    arma::mat z;
    std::vector<double> label;
    std::vector<double> relative;  ///< weights, of mean 1; empty: all alike
    double repeats = 1.0;          ///< records that a row stands for, in the mean

    [[nodiscard]] double weight(std::size_t i) const {
        return relative.empty() ? 1.0 : relative[i];
    }
    [[nodiscard]] double mean(const std::vector<double> &losses) const;
};

/** The different rows, where some are copies: they repeat, and with one label each. Where rows that
 *  are alike have different labels, their columns have few values, and they are no copies. */
[[nodiscard]] std::optional<DistinctRows> copies(const arma::mat &z,
                                                 const std::vector<double> &label);

/** All rows, or `most` of them drawn by the seed. Of all, copies are one row of their weights
 *  together, and so are left out together: a copy would know its own label. */
[[nodiscard]] ColumnRows some_rows(const PreparedSample &sample, std::uint64_t seed,
                                   std::size_t most = 5000);

/** A fit, and the loss of each row under the fit to all rows but that one. */
struct LeftOut {
    arma::vec theta;
    std::vector<double> losses;
};

/** Of equals the first. */
class LeastLeftOut {
  public:
    explicit LeastLeftOut(const ColumnRows &rows) : rows_(rows) {}

    void compare(LeftOut fit) {
        const double loss = rows_.mean(fit.losses);
        if (!std::isfinite(loss) || !(loss < least_)) return;
        least_ = loss;
        theta_ = std::move(fit.theta);
    }
    [[nodiscard]] const arma::vec &theta() const { return theta_; }

  private:
    const ColumnRows &rows_;
    double least_ = std::numeric_limits<double>::infinity();
    arma::vec theta_;
};

/** What left-out rows are charged under the best of some fits. */
struct LeftOutCharge {
    double mean = std::numeric_limits<double>::quiet_NaN();  ///< NaN where no row was left out
    std::vector<double> losses;                              ///< row by row, before the charge
};

/** Chooses among fits by the losses of rows left out: of those whose mean is within chance of the
 *  least the one that is preferred most. Chance is a few deviations of the differences of losses,
 *  over n: the least of many means is lower than it deserves, and with few rows by much. */
class LeftOutChoice {
  public:
    LeftOutChoice() = default;
    /** Chance is so many standard errors of the difference of two means. */
    explicit LeftOutChoice(double standard_errors) : standard_errors_(standard_errors) {}

    /** The next one.
     *  @param mean  Of what the losses are charged. */
    void add(double preference, double mean, const std::vector<double> &losses);

    /** Number of the chosen one; none if there is none. */
    [[nodiscard]] std::optional<std::size_t> operator()() const;

  private:
    struct Tried {
        double preference;
        double mean;
        std::vector<float> losses;
    };
    [[nodiscard]] bool is_within_chance(const Tried &other, const Tried &least) const;

    std::optional<double> standard_errors_;
    std::vector<Tried> tried_;
};

/** Fits of the target's losses plus s times a prior: leaving a row out costs no further fit. */
class LeaveOneOut {
  public:
    LeaveOneOut &operator=(LeaveOneOut &&) = delete;
    virtual ~LeaveOneOut() = default;

    /** @param s  Effective size: of how many target rows the prior has the weight; positive. */
    [[nodiscard]] virtual LeftOut at(double s) = 0;
};

/** Of the squared loss, in closed form: with h_i the leverage of row i, its residual r_i becomes
 *  r_i/(1 - h_i). One eigendecomposition serves every size. Null if the prior's curvature is not
 *  definite.
 *  @param moments  Of all `count` rows.
 *  @param rows     Whose losses are told; borrowed. */
[[nodiscard]] std::unique_ptr<LeaveOneOut> left_out_squared(const SourcePrior &prior,
                                                            const Moments &moments, double count,
                                                            const ColumnRows &rows);

/** Of any loss of one linear score, by one Newton step from the fit to these rows: with g_i = z_i'
 *  H^-1 z_i the score of row i becomes s_i + g_i l'_i/(1 - g_i l''_i), which for the squared loss
 *  is exact. Each fit starts from the one before, and stays in the ball of that radius. Borrows the
 *  rows and the loss. */
[[nodiscard]] std::unique_ptr<LeaveOneOut> left_out_newton(SourcePrior prior,
                                                           const loss::ScoreLoss &loss,
                                                           const ColumnRows &rows, double radius);

}  // namespace dpadapt
