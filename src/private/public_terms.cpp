#include "private/public_terms.hpp"

#include <algorithm>
#include <limits>

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

}  // namespace

PublicTerms::PublicTerms(const PublicSample &sample, const arma::vec &at)
    : slope(sample.rows().rows()), curvature(sample.rows().rows()), theta(at) {
    constexpr std::size_t kBlock = 256;
    const loss::ScoreLoss &output = *sample.loss().output();
    const double unit = output.largest_curvature();
    const std::size_t d = sample.rows().dimension();
    const std::vector<double> labels = sample.rows().labels();
    const std::vector<double> relative = sample.rows().shares(static_cast<double>(labels.size()));
    kept_slope = output.kept_slope() / unit;
    TypicalSquares squares(d);
    arma::mat columns;
    for (std::size_t begin = 0; begin < labels.size(); begin += kBlock) {
        const std::size_t n = std::min(kBlock, labels.size() - begin);
        sample.rows().fill(begin, begin + n, columns);
        squares.add(columns, arma::rowvec(&relative[begin], n));
        const loss::Block block{n, d, columns.memptr(), &labels[begin]};
        arma::mat score(n, output.outputs());
        arma::mat gradient(arma::size(score));
        std::vector<double> losses(n);
        output.scores(block, {theta.memptr(), theta.n_elem}, {score.memptr(), score.n_elem});
        output.slopes(n, score.memptr(), block.label, losses.data(), gradient.memptr());
        const arma::vec bounds = curvature_bounds(output, block, score);
        for (std::size_t i = 0; i < n; ++i) {
            slope[begin + i] = arma::norm(gradient.row(i)) / unit;
            curvature[begin + i] = std::min(1.0, bounds(i) / unit);
            loss += relative[begin + i] * losses[i] / static_cast<double>(labels.size());
        }
    }
    sizes = squares();
}

namespace {

/** The public gradients as a clip leaves them. */
class ClippedGradients {
  public:
    ClippedGradients(const PublicSample &sample, const PublicTerms &terms, const Metric &metric,
                     const std::vector<double> &norms, const std::vector<double> &rows,
                     bool bounded)
        : sample_(sample),
          terms_(terms),
          metric_(metric),
          norms_(norms),
          share_(sample.rows().shares()),
          bounded_(bounded),
          curvatures_(rows) {
        for (std::size_t i = 0; i < curvatures_.size(); ++i) {
            curvatures_[i] *= share_[i] * terms.curvature[i] * curvatures_[i];
            curvature_ += curvatures_[i];
        }
        whole_ = mean(std::numeric_limits<double>::infinity());
    }

    struct Error {
        double whole;  ///< squared
        double moved;  ///< the part of the bias
    };
    [[nodiscard]] Error error(double clip, const ClipGoal &goal) const {
        double square = 0.0;
        double chance = 0.0;  // of the bias, as public records are few
        double kept = 0.0;
        for (std::size_t i = 0; i < norms_.size(); ++i) {
            const double clipped = std::min(norms_[i], clip);
            const double lost = share_[i] * (norms_[i] - clipped);
            square += share_[i] * clipped * clipped;
            chance += lost * lost;
            if (norms_[i] <= clip) kept += curvatures_[i];
        }
        const arma::vec away = mean(clip) - whole_;
        const auto d = static_cast<double>(away.n_elem);
        const double noise = d * goal.noise * goal.noise * clip * clip;
        const double bias = arma::dot(away, away);
        if (!bounded_) return {noise + std::max(0.0, bias - chance), 0.0};
        if (!(kept > 0.0)) return {std::numeric_limits<double>::infinity(), 0.0};
        const double left = kept / curvature_;
        return {(noise + square / goal.records + bias) / (left * left), bias / (left * left)};
    }

  private:
    [[nodiscard]] arma::vec mean(double clip) const {
        std::vector<double> weight(share_);
        for (std::size_t i = 0; i < weight.size(); ++i)
            if (norms_[i] > clip) weight[i] *= clip / norms_[i];
        std::vector<double> losses(norms_.size());
        arma::mat gradient =
            sample_.loss_rows().gradient(terms_.theta, weight.data(), losses.data());
        gradient.reshape(metric_.map.n_cols, metric_.blocks);
        return arma::vectorise(metric_.public_map * gradient) / metric_.unit;
    }

    const PublicSample &sample_;
    const PublicTerms &terms_;
    const Metric &metric_;
    const std::vector<double> &norms_;
    std::vector<double> share_;       ///< of each record in the mean
    bool bounded_;                    ///< whether slopes of the loss are
    std::vector<double> curvatures_;  ///< curvatures of the records
    double curvature_ = 0.0;
    arma::vec whole_;
};

}  // namespace

ClipChoice choose_clip(const PublicSample &sample, const PublicTerms &terms, const Metric &metric,
                       const std::vector<double> &norms, const std::vector<double> &rows,
                       double least, const ClipGoal &goal) {
    const bool bounded = sample.choice().kind != loss::Kind::squared;
    const double most = bounded ? 1.0 : 0.999;  // docs/defaults.md: one spoilt label would set it
    const ClippedGradients gradients(sample, terms, metric, norms, rows, bounded);
    ClipChoice best{least, 0.0};
    double smallest = std::numeric_limits<double>::infinity();
    for (const double wider : {least, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0}) {
        if (wider < least || (wider > most && wider != least)) continue;
        const auto error = gradients.error(sample.rows().quantile(norms, wider), goal);
        if (!(error.whole < smallest)) continue;
        smallest = error.whole;
        best = {wider, error.moved};
    }
    return best;
}

}  // namespace dpadapt
