#pragma once

#include <vector>

#include "linalg/matrix_view.hpp"
#include "problem/sample.hpp"
#include "problem/settings.hpp"

namespace dpadapt {

/** A linear predictor in the user's features. */
struct Predictor {
    arma::vec coefficients;
    double intercept = 0.0;
};

/** Of columns and labels, by the rows' weights. */
struct ColumnMeans {
    arma::vec mean;
    arma::vec variance;
    double label = 0.0;
    double label_variance = 0.0;  ///< where rows have no weights
};

[[nodiscard]] ColumnMeans column_means(const Sample &sample, std::size_t threads);

/** The change of coordinates learnt from the public sample: z = (W S (x - center), 1), with S the
 *  diagonal scale, W the symmetric whitening matrix (identity if empty), and the 1 if there is an
 *  intercept. The kernels apply centre and scale to the rows; W is applied to predictors, gradients
 *  and moments. Labels are centred as well, so that the ball of predictors lies around the public
 *  mean of the labels. Without an intercept nothing is centred, and linear scores of x = 0 are
 *  0. */
class Preprocess {
  public:
    /** Learns from a public sample whose values are finite. With fewer rows in it and in `beside`,
     *  the only other rows that will ever be read, than features, the features become coordinates
     *  in an orthonormal basis of the span of these rows: losses, norms and the ball of predictors
     *  see nothing else, and a minimum lies in it. Not for whitening, whose matrix mixes all.
     *  `beside` may be the sample itself: other rows are projected onto the span of its rows.
     *  A feature that is constant in the sample has the scale that it has beside, where `beside` is
     *  given; one that is constant in both has none, and its coefficient is 0. */
    Preprocess(const Sample &sample, const Settings &settings, const Sample *beside = nullptr);

    /** What was learnt once, without a basis. */
    Preprocess(arma::vec center, arma::vec scale, arma::mat whitening, bool intercept,
               double label_center);

    [[nodiscard]] std::size_t features() const { return center_.n_elem; }
    [[nodiscard]] bool has_intercept() const { return intercept_; }
    [[nodiscard]] std::size_t dimension() const {
        return (basis_.is_empty() ? features() : basis_.n_cols) + (intercept_ ? 1 : 0);
    }
    /** Orthonormal columns that span the rows; empty where features are what they are. */
    [[nodiscard]] const arma::mat &basis() const { return basis_; }
    [[nodiscard]] const arma::mat &whitening() const { return whitening_; }
    [[nodiscard]] double label_center() const { return label_center_; }
    [[nodiscard]] const arma::vec &center() const { return center_; }
    [[nodiscard]] const arma::vec &scale() const { return scale_; }

    /** Predictors add it to their scores, and the ball of predictors lies around it. */
    void center_scores(double center) { score_center_ = center; }

    /** The sample's rows before W and without a basis, with its labels less the centre. */
    [[nodiscard]] linalg::AffineRows rows(const Sample &sample) const {
        return {sample.x(), sample.y(), label_center_, center_, scale_, {}, intercept_};
    }

    /** A predictor or block of parameters in the coordinates of all features. */
    [[nodiscard]] arma::vec lift(const arma::vec &w) const;

    [[nodiscard]] Predictor to_user(const arma::vec &w) const;
    [[nodiscard]] arma::vec from_user(const Predictor &predictor) const;

    /** diag(W, 1) v: takes w to the coordinates of the rows, and a gradient back from them. */
    [[nodiscard]] arma::vec whiten(arma::vec v) const;

    /** diag(W, 1) as a matrix. */
    [[nodiscard]] arma::mat whitening_map() const;

    /** diag(W, 1) gram diag(W, 1), where gram may have the label as an additional last coordinate.
     */
    [[nodiscard]] arma::mat whiten_gram(arma::mat gram) const;

  private:
    void learn(const Sample &sample, const Settings &settings, const Sample *beside);
    /** Columns that are constant in the public sample get the scale of the other one, or none. */
    void scale_constant(const arma::uvec &constant, const Sample &beside);
    void span(const std::vector<const Sample *> &samples);

    arma::vec center_;
    arma::vec scale_;
    arma::mat whitening_;
    arma::mat basis_;
    double label_center_ = 0.0;
    double score_center_ = 0.0;  ///< where scores are no labels
    bool intercept_;
};

/** Rows that stay as they are keep their means. Beside a mean of many deviations the products of a
 *  column with the intercept leave no digit of what it varies by, and a fit would be certified in a
 *  ball that is too small. Throws Error(DPA_E_NUMERICAL) for such a column of a *public* sample. */
void check_offsets(const Sample &sample, std::size_t threads);

/** A public linear map from the columns of the source to those of the target: column j of a mapped
 *  row is offset_j + sum_k matrix(j, k) x_k, over the k whose factor is not 0. */
class SourceMap {
  public:
    /** @param offset  One for each row of the matrix, or NULL for zeros.
     *  Throws Error(DPA_E_NONFINITE) for a number that is not finite. */
    SourceMap(const linalg::MatrixView &matrix, const double *offset);

    [[nodiscard]] std::size_t from() const { return from_; }
    [[nodiscard]] std::size_t to() const { return columns_.size(); }

    /** Copies; each row is computed from that row and public numbers alone, in a fixed order. */
    [[nodiscard]] Sample apply(const Sample &rows) const;

  private:
    struct Term {
        std::size_t column;
        double factor;
    };
    struct Column {
        double offset = 0.0;
        std::vector<Term> terms;
    };

    std::size_t from_;
    std::vector<Column> columns_;
};

}  // namespace dpadapt
