#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "linalg/passes.hpp"
#include "problem/preprocess.hpp"
#include "problem/quantile.hpp"

namespace dpadapt {

/** Means over a sample, by its rows' weights, in preprocessed coordinates: L(w) = w' second w - 2
 *  cross . w + label. */
struct Moments {
    arma::mat second;
    arma::vec cross;
    double label = 0.0;
};

/** Bounds that rows are clipped into; infinite when there are none. */
struct Clipping {
    double feature_radius = std::numeric_limits<double>::infinity();
    double label_bound = std::numeric_limits<double>::infinity();
    double neutral_label =
        0.0;  ///< of a private record that counts as nothing; NaN where 0 is a class
};

/** A sample seen in preprocessed coordinates and clipped record by record: the only form in which
 *  methods read rows. Predictors w, gradients and moments are in those coordinates, of length
 *  dimension(). */
class PreparedSample {
  public:
    /** Borrows both, but for rows in a basis, which are stored. */
    PreparedSample(const Sample &sample, const Preprocess &preprocess, std::size_t threads);

    /** Scales rows down to the radius and clamps labels. */
    void clip(const Clipping &bounds);

    [[nodiscard]] std::size_t rows() const { return rows_.rows(); }
    [[nodiscard]] std::size_t dimension() const { return rows_.dimension(); }
    [[nodiscard]] bool has_intercept() const { return preprocess_->has_intercept(); }

    /** residual[i] = w . z_i - y_i. */
    void residuals(const arma::vec &w, double *residual) const {
        linalg::residual_pass(rows_, preprocess_->whiten(w), threads_, residual);
    }

    /** sum_i a_i z_i. */
    [[nodiscard]] arma::vec gradient(const double *a) const {
        return preprocess_->whiten(linalg::gradient_pass(rows_, a, threads_));
    }

    /** residuals and gradient with a given by row_function, in one reading; see linalg::fused_pass.
     */
    [[nodiscard]] linalg::PassSums fused(const arma::vec &w, double *residual,
                                         const auto &row_function) const {
        auto sums =
            linalg::fused_pass(rows_, preprocess_->whiten(w), threads_, residual, row_function);
        sums.gradient = preprocess_->whiten(std::move(sums.gradient));
        return sums;
    }

    /** sum_i a_i z_i with a given by fill, block by block; see linalg::weighted_pass. */
    [[nodiscard]] arma::vec weighted(const auto &fill) const {
        return preprocess_->whiten(
            linalg::weighted_pass(rows_, threads_,
                                  [&](std::size_t /*chunk*/, std::size_t begin, std::size_t end,
                                      double *a) { fill(begin, end, a); }));
    }

    /** The same rows with labels 0: their residuals are the scores w . z_i. */
    [[nodiscard]] PreparedSample without_labels() const;

    /** Labels after centring and clamping. */
    [[nodiscard]] std::vector<double> labels() const;

    /** The rows begin <= i < end as columns of a matrix. */
    void fill(std::size_t begin, std::size_t end, arma::mat &columns) const;

    /** The weights that the user gives the rows, in units of their mean; empty: all weigh alike. */
    [[nodiscard]] const std::vector<double> &relative() const { return relative_; }

    /** Of a row whose weight is 1, what it has of a total. */
    [[nodiscard]] double unit_share(double total) const {
        return total / static_cast<double>(rows()) / mean_weight_;
    }

    /** What each row has of a total that is divided by these weights. */
    [[nodiscard]] std::vector<double> shares(double total = 1.0) const;

    /** How many rows of equal weight would tell as much (Kish); of rows that repeat, how many there
     *  are. */
    [[nodiscard]] double effective_rows() const;

    /** How many there are: more than rows() where some of them repeat. */
    [[nodiscard]] double count() const { return count_; }

    /** Mean of a value of each row, and a quantile, by these weights. */
    [[nodiscard]] double mean(const std::vector<double> &values) const;
    [[nodiscard]] double quantile(std::vector<double> values, double level) const {
        return dpadapt::quantile(std::move(values), relative_, level);
    }

    /** The labels' standard deviation. */
    [[nodiscard]] double label_deviation() const;

    /** Root of their mean square before centring. */
    [[nodiscard]] double label_size() const;

    /** How passes divide the rows, always the same. */
    [[nodiscard]] linalg::Chunks chunks() const { return linalg::Chunks(rows_.x); }
    [[nodiscard]] std::size_t threads() const { return threads_; }

    /** sum_i weight_i z_i z_i'. */
    [[nodiscard]] arma::mat gram(const double *weight) const;

    [[nodiscard]] Moments moments() const;

    /** Norms of the preprocessed features, constant excluded, before clipping. */
    [[nodiscard]] std::vector<double> feature_norms() const;

    /** ||map z_i||, with z_i after clipping and map of dimension() columns. */
    [[nodiscard]] std::vector<double> mapped_norms(const arma::mat &map) const;

  private:
    void store_in_basis();

    linalg::AffineRows rows_;
    std::shared_ptr<const arma::mat> stored_;  ///< features of a row are a column; copies share it
    const Preprocess *preprocess_;
    std::size_t threads_;
    std::vector<double> clamped_;
    std::vector<double> relative_;
    double mean_weight_;
    double count_;
    bool repeats_;  ///< weights say how often a row is there
};

/** The different rows of a sample as columns, in lexicographic order. Methods that read these, and
 *  not the records, depend neither on the order of the records nor on whether one is repeated, or
 *  all are. Weights of distinct rows are those of all their copies together. */
struct DistinctRows {
    DistinctRows() = default;
    explicit DistinctRows(const arma::mat &all);  // one a column

    arma::mat columns;
    arma::vec count;                 ///< records at each point
    std::vector<std::size_t> point;  ///< of each record

    [[nodiscard]] std::size_t size() const { return columns.n_cols; }

    /** The weights of the records: each has its share. */
    [[nodiscard]] std::vector<double> spread(const arma::vec &weights) const;
};

}  // namespace dpadapt
