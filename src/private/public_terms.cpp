#include "private/public_terms.hpp"

#include <algorithm>

#include "base/control.hpp"
#include "private/steps.hpp"

namespace dpadapt {

namespace {

/** Of each record of a block: the norm of a symmetric matrix is at most the largest sum of the
 *  sizes in a column. */
arma::vec curvature_bounds(const loss::ScoreLoss &output, const loss::Block &block,
                           const arma::mat &score) {
    arma::vec bounds(score.n_rows, arma::fill::zeros);
    arma::mat column(arma::size(score));
    for (arma::uword k = 0; k < score.n_cols; ++k) {
        arma::mat direction(arma::size(score), arma::fill::zeros);
        direction.col(k).ones();
        output.curvatures(score.n_rows, score.memptr(), block.label, direction.memptr(),
                          column.memptr());
        bounds = arma::max(bounds, arma::vec(arma::sum(arma::abs(column), 1)));
    }
    return bounds;
}

/** Some public rows, one a column, and the gradients of their losses by the scores at a point. */
struct SlopedRows {
    std::size_t begin;
    loss::Block block;
    const arma::mat &columns;
    arma::mat score;
    arma::mat slope;
    std::vector<double> losses;
};

void each_block(const PublicSample &sample, const arma::vec &theta, const auto &see) {
    constexpr std::size_t kBlock = 256;
    const loss::ScoreLoss &output = *sample.loss().output();
    const std::size_t d = sample.rows().dimension();
    const std::vector<double> labels = sample.rows().labels();
    arma::mat columns;
    for (std::size_t begin = 0; begin < labels.size(); begin += kBlock) {
        const std::size_t n = std::min(kBlock, labels.size() - begin);
        count_work(n, 4 * d);
        sample.rows().fill(begin, begin + n, columns);
        SlopedRows rows{begin,
                        {n, d, columns.memptr(), &labels[begin]},
                        columns,
                        arma::mat(n, output.outputs()),
                        arma::mat(n, output.outputs()),
                        std::vector<double>(n)};
        output.scores(rows.block, theta, rows.score);
        output.slopes(n, rows.score.memptr(), rows.block.label, rows.losses.data(),
                      rows.slope.memptr());
        see(rows);
    }
}

/** The public gradients as clips leave them. */
class ClippedGradients {
  public:
    ClippedGradients(const PublicSample &sample, const PublicTerms &terms, const Metric &metric,
                     const std::vector<double> &norms, const std::vector<double> &rows,
                     bool bounded, std::vector<double> clips)
        : norms_(norms),
          share_(sample.rows().shares()),
          bounded_(bounded),
          curvatures_(rows),
          clips_(std::move(clips)),
          moves_(metric.map.n_rows, clips_.size() * metric.blocks, arma::fill::zeros) {
        for (std::size_t i = 0; i < curvatures_.size(); ++i) {
            curvatures_[i] *= share_[i] * terms.curvature[i] * curvatures_[i];
            curvature_ += curvatures_[i];
        }
        arma::mat sum(sample.rows().dimension(), moves_.n_cols, arma::fill::zeros);
        each_block(sample, terms.theta, [&](const SlopedRows &block) { add(block, sum); });
        moves_ = metric.public_map * sum / metric.unit;
    }

    struct Error {
        double whole;  ///< squared
        double moved;  ///< the part of the bias
    };
    [[nodiscard]] Error error(std::size_t k, const ClipGoal &goal) const {
        const double clip = clips_[k];
        double square = 0.0;
        double chance = 0.0;  // of the bias, as public records are few
        double kept = 0.0;
        count_work(norms_.size(), 0);
        for (std::size_t i = 0; i < norms_.size(); ++i) {
            const double clipped = std::min(norms_[i], clip);
            const double lost = share_[i] * (norms_[i] - clipped);
            square += share_[i] * clipped * clipped;
            chance += lost * lost;
            if (norms_[i] <= clip) kept += curvatures_[i];
        }
        const arma::uword blocks = moves_.n_cols / clips_.size();
        const arma::vec away = arma::vectorise(moves_.cols(k * blocks, (k + 1) * blocks - 1));
        const auto d = static_cast<double>(away.n_elem);
        const double noise = d * goal.noise * goal.noise * clip * clip;
        const double bias = arma::dot(away, away);
        if (!bounded_) return {noise + std::max(0.0, bias - chance), 0.0};
        if (!(kept > 0.0)) return {std::numeric_limits<double>::infinity(), 0.0};
        const double left = kept / curvature_;
        return {(noise + square / goal.records + bias) / (left * left), bias / (left * left)};
    }

  private:
    /** What each clip takes of the mean gradient. */
    void add(const SlopedRows &rows, arma::mat &sum) const {
        arma::mat lost(rows.block.rows, sum.n_cols, arma::fill::zeros);
        bool any = false;
        for (std::size_t i = 0; i < rows.block.rows; ++i) {
            const double norm = norms_[rows.begin + i];
            for (std::size_t k = 0; k < clips_.size() && norm > clips_[k]; ++k) {
                const double share = share_[rows.begin + i] * (1.0 - clips_[k] / norm);
                for (arma::uword c = 0; c < rows.slope.n_cols; ++c)
                    lost(i, k * rows.slope.n_cols + c) = share * rows.slope(i, c);
                any = true;
            }
        }
        if (any) sum += rows.columns * lost;
    }

    const std::vector<double> &norms_;
    std::vector<double> share_;       ///< of each record in the mean
    bool bounded_;                    ///< whether slopes of the loss are
    std::vector<double> curvatures_;  ///< curvatures of the records
    double curvature_ = 0.0;
    std::vector<double> clips_;  ///< ascending
    arma::mat moves_;            ///< of the mean gradient, by each clip: blocks side by side
};

}  // namespace

PublicTerms::PublicTerms(const PublicSample &sample, const arma::vec &at)
    : slope(sample.rows().rows()), curvature(sample.rows().rows()), theta(at) {
    const loss::ScoreLoss &output = *sample.loss().output();
    const double unit = output.largest_curvature();
    const auto m = static_cast<double>(sample.rows().rows());
    const std::vector<double> relative = sample.rows().shares(m);
    kept_slope = output.kept_slope() / unit;
    TypicalSquares squares(sample.rows().dimension());
    each_block(sample, theta, [&](const SlopedRows &rows) {
        const double *weight = &relative[rows.begin];
        squares.add(rows.columns, arma::rowvec(weight, rows.block.rows));
        const arma::vec bounds = curvature_bounds(output, rows.block, rows.score);
        for (std::size_t i = 0; i < rows.block.rows; ++i) {
            slope[rows.begin + i] = arma::norm(rows.slope.row(i)) / unit;
            curvature[rows.begin + i] = std::min(1.0, bounds(i) / unit);
            loss += weight[i] * rows.losses[i] / m;
        }
    });
    sizes = squares();
    // Far off such a loss is flat, but less so where steps arrive.
    constexpr double kNear = 0.2;  // docs/defaults.md
    const bool flat = sample.choice().kind == loss::Kind::huber || flattens(sample.loss());
    if (!flat || !arma::any(at != sample.fit())) return;
    const PublicTerms near(sample, sample.fit());
    for (std::size_t i = 0; i < curvature.size(); ++i)
        curvature[i] += kNear * (near.curvature[i] - curvature[i]);
}

ClipChoice choose_clip(const PublicSample &sample, const PublicTerms &terms, const Metric &metric,
                       const std::vector<double> &norms, const std::vector<double> &rows,
                       double least, const ClipGoal &goal) {
    const bool bounded = sample.choice().kind != loss::Kind::squared;
    const double most = bounded ? 1.0 : 0.999;  // docs/defaults.md: one spoilt label would set it
    std::vector<double> quantiles;
    std::vector<double> clips;
    for (const double wider : {least, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0}) {
        if (wider < least || (wider > most && wider != least)) continue;
        quantiles.push_back(wider);
        clips.push_back(sample.rows().quantile(norms, wider));
    }
    const ClippedGradients gradients(sample, terms, metric, norms, rows, bounded, clips);
    ClipChoice best{least, 0.0};
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < clips.size(); ++k) {
        const auto error = gradients.error(k, goal);
        if (!(error.whole < smallest)) continue;
        smallest = error.whole;
        best = {quantiles[k], error.moved};
    }
    return best;
}

}  // namespace dpadapt
