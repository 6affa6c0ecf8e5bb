#pragma once

#include <functional>
#include <span>
#include <vector>

#include "loss/score_loss.hpp"
#include "problem/prepared_sample.hpp"
#include "problem/sample.hpp"

namespace dpadapt {

/** The rows of a sample as a loss sees them, as functions of its parameters theta. Sums do not
 *  depend on the number of threads. */
class LossRows {
  public:
    /** Borrows both. by_score: passes for one score linear in the features, at the speed of a
     *  matrix product; else the loss itself makes the gradient of every record, block by block. */
    LossRows(const PreparedSample &sample, const loss::Loss &loss, bool by_score);
    LossRows &operator=(LossRows &&) = delete;

    [[nodiscard]] std::size_t rows() const { return sample_.rows(); }
    [[nodiscard]] std::size_t parameters() const { return parameters_; }
    [[nodiscard]] const loss::Loss &loss() const { return loss_; }
    [[nodiscard]] const PreparedSample &sample() const { return sample_; }

    /** Of parameters and losses, by these rows' labels. */
    [[nodiscard]] loss::Units units() const;

    /** Of a fit to these rows, as multiples of half the squares of theta: 1/m in units of the loss,
     *  which keeps separable classes at a finite distance; of columns that vary less than in the
     *  sample that has set the coordinates in their own units; and of intercepts a hundredth: the
     *  shares of classes are no news. */
    [[nodiscard]] arma::vec ridge() const;

    /** @param scores  Written unless null; by score only. */
    void losses(const arma::vec &theta, double *losses, double *scores = nullptr) const;

    /** Sets the weights of the rows begin <= i < end, whose losses are written; returns what the
     *  rows add to a value. Threads call it for different rows. */
    using Weigh = std::function<double(std::size_t begin, std::size_t end)>;

    struct Sums {
        double value = 0.0;  ///< of what weigh returned
        arma::vec gradient;
    };

    /** sum_i weight_i times the gradient of loss i, in one reading of the rows.
     *  @param weight  Read after `weigh`, if there is one.
     *  @param losses  Written.
     *  @param scores  Written unless null; by score only. */
    [[nodiscard]] Sums weighted_sums(const arma::vec &theta, const double *weight, double *losses,
                                     double *scores, const Weigh &weigh) const;

    /** The same for weights that are known. */
    [[nodiscard]] arma::vec gradient(const arma::vec &theta, const double *weight,
                                     double *losses) const {
        return weighted_sums(theta, weight, losses, nullptr, {}).gradient;
    }

    /** The same where the scores are known; by score only. */
    [[nodiscard]] arma::vec gradient_at(const double *scores, const double *weight,
                                        double *losses) const;

    /** Turns the second derivatives of losses by the score, `curvature`, of the rows begin <= i
     *  < end into curvatures of a model. */
    using Reduce = std::function<void(std::size_t begin, std::size_t end, const double *slope,
                                      double *curvature)>;

    /** sum_i weight_i bend_i z_i z_i'; by score only.
     *  @param scores  As gradient writes them. */
    [[nodiscard]] arma::mat curvature(const double *scores, const double *weight,
                                      const Reduce &reduce) const;

    /** sum_i weight_i times the Hessian of loss i; by score only. */
    [[nodiscard]] arma::mat curvature(const arma::vec &theta, const double *weight) const;

    /** The diagonal of sum_i weight_i times the Hessian of loss i by theta, with no curvature by a
     *  score below a hundredth of the largest possible: where a loss is flat now it need not stay
     *  so. Empty unless scores are linear. */
    [[nodiscard]] arma::vec diagonal(const arma::vec &theta, const double *weight) const;

    /** Calls see(i, loss, gradient) for every record in order. */
    using Record = std::function<void(std::size_t, double, std::span<const double>)>;
    void each_gradient(const arma::vec &theta, const Record &see) const;

    /** Throws Error(DPA_E_LABEL) naming the first row whose label has no meaning. */
    void check_labels(const char *name, bool has_places) const;
    void check_label(const std::string &whose, double label) const;

    /** Whether passes by score exist for that loss. */
    static bool has_passes_by_score(const loss::Loss &loss);

  private:
    [[nodiscard]] std::size_t block_rows() const;
    [[nodiscard]] std::size_t work_of_row() const {
        return 2 * std::max(parameters_, sample_.dimension());
    }

    /** Calls see(i, block) for the blocks of begin <= i < end; i is the first row of the block. */
    void each_block(std::size_t begin, std::size_t end, const auto &see) const;

    /** Of all rows, see(chunk, i, block); chunks side by side, as far as the loss can bear. */
    void each_chunk(const auto &see) const;

    /** Threads that the loss can bear. */
    [[nodiscard]] std::size_t threads() const { return loss_.concurrent() ? sample_.threads() : 1; }

    const PreparedSample &sample_;
    const loss::Loss &loss_;
    const loss::ScoreLoss *score_;  ///< null: block by block
    std::size_t parameters_;
    std::vector<double> labels_;
    std::optional<PreparedSample> unlabelled_;
};

/** The rows of a public sample that have a label, and a weight that is not 0: terms with labels
 *  read these, while the features of all rows count where labels have no part. */
class LabelledRows {
  public:
    /** Borrows the sample, whose labelled rows are copied if there are others.
     *  @param among  Only these rows, in ascending order; empty: all. */
    explicit LabelledRows(const Sample &sample, const std::vector<std::size_t> &among = {});
    LabelledRows &operator=(LabelledRows &&) = delete;

    [[nodiscard]] bool all() const { return place_.size() == sample_.rows(); }
    [[nodiscard]] bool any() const { return !place_.empty(); }

    /** These rows; the sample itself if that is all. There must be one. */
    [[nodiscard]] const Sample &rows() const { return all() ? sample_ : labelled_; }

    /** Every row, with its label or, where it has none, 0. */
    [[nodiscard]] const Sample &features() const { return all() ? sample_ : features_; }

    /** Weights of the labelled rows as those of all rows: the others have 0. */
    void spread(std::vector<double> &weights) const;

  private:
    const Sample &sample_;
    std::vector<std::size_t> place_;
    SecretVector<double> x_;
    SecretVector<double> y_;
    std::vector<double> filled_;
    Sample labelled_;
    Sample features_;
};

}  // namespace dpadapt
