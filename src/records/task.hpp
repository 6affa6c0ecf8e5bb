#pragma once

#include <optional>

#include "records/arithmetic.hpp"
#include "records/weighting.hpp"
#include "solution/solution.hpp"
#include "sums/gram_sum.hpp"
#include "sums/integer_sums.hpp"
#include "sums/moment_sum.hpp"
#include "sums/survey_sum.hpp"
#include "sums/tally.hpp"

/** What a private method may ask of private records: values, made of public numbers and released
 *  ones. The answer to each is an exact sum of integers over the records, so that neither their
 *  order nor the parts in which they are read matter; only batches and the paper's steps know
 *  records by their number. empty() is the sum over no records, in coordinates of that
 *  dimension. */
namespace dpadapt::records {

using sums::Counts, sums::GramSum, sums::PaperSum, sums::SurveySum, sums::Tally;

/** What a record without a label is to a task: nothing, or, where labels have no part, its
 *  features. */
enum class Unlabelled { nothing, features };

/** A linear score of each record in the coordinates, and its loss. The slope of the loss is taken
 *  in units of its curvature bound: of the squared loss, 2, so that it is the residual. */
struct ScoredLoss {
    loss::Choice loss;
    arma::vec theta;
    double slope_unit = 1.0;
};

/** How the gradient of a loss by theta becomes one by the coordinates of a metric; both empty: the
 *  identity. */
struct GradientMap {
    arma::vec scale;   ///< each entry is divided by its scale
    arma::mat matrix;  ///< square
};

/** Any loss, whose gradients by theta are then mapped. */
struct MappedLoss {
    loss::Choice loss;
    arma::vec theta;
    GradientMap map;
};

/** Gradient terms: the gradient g of each record becomes `most` share g / clip, shrunk to norm
 *  `most`, and is followed by the further coordinates of the weighting. */
struct GradientTask {
    using Sum = sums::VectorSum;

    std::variant<ScoredLoss, MappedLoss> loss;
    double most = 1.0;
    std::optional<double> clip;  ///< C; empty: the term is share g, shrunk to norm `most`
    Weighting weighting;
    std::vector<std::uint32_t> batch;  ///< numbers of the records; empty: all
    privacy::VectorGrid grid;

    [[nodiscard]] const arma::vec &theta() const;
    [[nodiscard]] Sum empty(std::size_t dimension) const;
};

/** The Hessian of each record: zeta times the root of its share of the largest curvature, shrunk as
 *  its gradient term is, to norm clip, and its square to `most`. */
struct ShrunkByLoss {
    ScoredLoss loss;
    double clip = 0.0;
    double most = 0.0;
};

/** What intervals of coefficients need of each record, of the gradient that GradientTask clips to
 *  norm `clip`: the gradient in units of that, or zeta times the root of its curvature, which is 0
 *  where the gradient is clipped, the square shrunk to `most` and in units of that. */
struct ClippedByLoss {
    ScoredLoss loss;
    double clip = 0.0;
    double most = 0.0;
    bool gradients = false;
};

/** Each zeta, in units of public bounds, is shrunk to the radius, and may be followed by the
 *  label. */
struct ShrunkByRadius {
    double radius = 0.0;
    double feature_scale = 0.0;
    std::optional<double> label_scale;
};

/** Outer products of shrunken records. */
struct OuterTask {
    using Sum = sums::OuterSum;

    std::variant<ShrunkByLoss, ShrunkByRadius, ClippedByLoss> shrink;
    privacy::OuterGrid grid;

    [[nodiscard]] std::size_t size(std::size_t dimension) const;
    [[nodiscard]] Sum empty(std::size_t dimension) const { return {size(dimension), grid}; }
};

/** Exact second moments of (zeta, y) within these bounds, of a person's first row; label_bound 0:
 *  of zeta alone. */
struct MomentTask {
    using Sum = sums::MomentSum;

    double radius = 0.0;
    double label_bound = 0.0;

    [[nodiscard]] Sum empty(std::size_t dimension) const {
        return {dimension, radius, label_bound};
    }
};

/** At each predictor the sum of trunc(2^30 loss / bound), losses clipped to [0, bound]; of a
 *  person that of the first row. */
struct LossTask {
    using Sum = Tally;

    loss::Choice loss;
    std::vector<arma::vec> predictors;
    double bound = 0.0;

    [[nodiscard]] Sum empty(std::size_t /*dimension*/) const { return Sum(predictors.size()); }
};

/** The losses of each record at public predictors, as a vector of norm at most 1: of K losses, each
 *  clipped to [0, bound], the k-th is a (2 w loss / bound - 1)/sqrt(K) for a record of weight w.
 *  One that is not a number counts as the bound. The (K + 1)-th is `counted` w for a record whose
 *  label the loss accepts, or 0; a = sqrt(1 - counted^2). With counted = 0 there is none. Without
 *  predictors, where counted = 1, it is 2 w - 1, or -1. Zeros fill up to `coordinates`. */
struct ComparisonTask {
    using Sum = sums::VectorSum;

    loss::Choice loss;
    std::vector<arma::vec> predictors;
    double bound = 0.0;
    privacy::VectorGrid grid;
    double counted = 0.0;
    std::size_t coordinates = 0;

    /** a. */
    [[nodiscard]] double share_of_losses() const;
    [[nodiscard]] Sum empty(std::size_t dimension) const;
};

/** Of each candidate the score on records in the user's features (privacy::clipped_score), of a
 *  person the mean, rounded down; it needs no coordinates. */
struct ScoreTask {
    using Sum = Tally;

    std::vector<Solution> candidates;  ///< as far as they predict
    SelectionLoss loss = SelectionLoss::squared;
    double bound = 0.0;

    [[nodiscard]] Sum empty(std::size_t /*dimension*/) const { return Sum(candidates.size()); }
};

/** What of the errors: means and counts; histograms of sizes and of log odds; or of one solution
 *  the numbers of records by the score of a calibration. */
enum class ErrorsAsked : std::uint8_t { means, sizes, scores };

/** The errors of solutions on records in the user's features, as the terms of error_terms.hpp; it
 *  needs no coordinates. */
struct ErrorTask {
    using Sum = sums::VectorSum;

    std::vector<Solution> solutions;  ///< as far as they predict; all of classes, or none
    ErrorsAsked asked = ErrorsAsked::means;
    double bound = 1.0;            ///< of sizes
    double pinball_bound = 1e300;  ///< of pinball losses, where they are measured
    std::vector<arma::vec> edges;  ///< of the bins of each solution's log odds, scores, or cells
    /// what a row adds to the area under each solution's ROC curve, at the ends of the histogram's
    /// bins of its log odds: of a positive row, then of a negative one; in [-1, 1]. Of times the
    /// scores and labels of public rows (pair_shares), or nothing
    std::vector<arma::vec> areas;
    privacy::VectorGrid grid;

    [[nodiscard]] Sum empty(std::size_t dimension) const;
};

/** Whether the pinball loss is a measure of its own: all are quantiles of one level but 1/2. */
[[nodiscard]] bool has_pinball(const ErrorTask &task);

/** The paper's private steps: the gradient weight g / v_i of each record, shrunk to norm weight
 *  gradient_bound, and the integer of its loss / v_i^2. */
struct PaperTask {
    using Sum = PaperSum;

    std::variant<ScoredLoss, MappedLoss> loss;
    arma::vec v;  ///< of all records of the sample
    double weight = 1.0;
    double gradient_bound = 0.0;
    double loss_bound = 0.0;  ///< B
    double loss_unit = 0.0;
    std::int64_t loss_most = 0;
    privacy::VectorGrid grid;

    [[nodiscard]] const arma::vec &theta() const;
    [[nodiscard]] Sum empty(std::size_t dimension) const;
};

/** Tasks that do not read labels, and Hessians that do not depend on them, count every record. */
[[nodiscard]] Unlabelled unlabelled_records(const OuterTask &task);
[[nodiscard]] inline Unlabelled unlabelled_records(const MomentTask &task) {
    return task.label_bound > 0.0 ? Unlabelled::nothing : Unlabelled::features;
}
[[nodiscard]] inline Unlabelled unlabelled_records(const auto & /*task*/) {
    return Unlabelled::nothing;
}

/** Of a public sample: what SurveySum tells. The coordinates are those of its columns. */
struct SurveyTask {
    using Sum = SurveySum;

    static constexpr std::size_t kMostRows = std::size_t{1} << 16;

    std::size_t most = 1;  ///< rows that are kept

    [[nodiscard]] Sum empty(std::size_t dimension) const { return {dimension + 1, most}; }
};

/** Of a public sample: exact second moments of (z, y), without bounds that a promise rests on. A
 *  record without a label is one of zeros. */
struct GramTask {
    using Sum = GramSum;

    std::vector<double> bounds;  ///< of each coordinate and of y: powers of two

    [[nodiscard]] Sum empty(std::size_t /*dimension*/) const { return Sum(bounds); }
};

/** What is neutralised when the records are read: for the custodian's eyes only. */
struct CountTask {
    using Sum = Counts;

    loss::Choice loss;  ///< whose labels have a meaning or not

    [[nodiscard]] Sum empty(std::size_t /*dimension*/) const { return {}; }
};

}  // namespace dpadapt::records
