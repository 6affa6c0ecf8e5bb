#include "solver/general_public_metric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/trust_region.hpp"
#include "problem/defaults.hpp"
#include "problem/quantile.hpp"

namespace dpadapt {
namespace {

constexpr double kRidge = defaults::kMetricRidge;

/** Typical squares of coordinates where they are not 0: mean of z^4 over mean of z^2. */
class Sizes {
  public:
    explicit Sizes(arma::uword n) : square_(n, arma::fill::zeros), fourth_(square_) {}

    void add(const arma::mat &columns) {
        const arma::mat squares = arma::square(columns);
        square_ += arma::sum(squares, 1);
        fourth_ += arma::sum(arma::square(squares), 1);
    }

    /** Diagonal of a ridge that does not depend on the units of the coordinates, and holds back
     *  those that few public records have: rho times the mean of `moments` in units of the
     *  sizes. */
    [[nodiscard]] arma::vec ridge(const arma::vec &moments, double rho) const {
        arma::vec sizes(square_.n_elem, arma::fill::ones);
        for (arma::uword j = 0; j < sizes.n_elem; ++j)
            if (fourth_(j) > std::numeric_limits<double>::min()) sizes(j) = fourth_(j) / square_(j);
        const double mean = arma::mean(moments / sizes);
        return mean > std::numeric_limits<double>::min()
                   ? rho * mean * sizes
                   : arma::vec(sizes.n_elem, arma::fill::ones);
    }

  private:
    arma::vec square_;
    arma::vec fourth_;
};

/** Roots of eigenvalues that rounding may have made too small: columns of very different units. */
arma::vec roots(const arma::vec &values) {
    constexpr double kRounding = 1e-14;
    return arma::sqrt(arma::clamp(values, kRounding * values.max(), arma::datum::inf));
}

/** What follows from the norms of the public gradients. */
void set_clip(std::vector<double> norm, const PrivacySettings &settings, GeneralMetric &metric) {
    metric.clip =
        settings.clip_bound ? *settings.clip_bound : quantile(norm, settings.clip_quantile);
    if (!(metric.clip > 0.0)) metric.clip = 1.0;  // the public fit is exact: any scale will do
    for (const double size : norm) {
        const double clipped = std::min(size, metric.clip);
        metric.term_square += clipped * clipped / static_cast<double>(norm.size());
    }
}

/** Of every public record at the public fit. */
struct ScoreSlopes {
    std::vector<double> norm;  ///< of the gradient by the scores
    std::vector<double> bend;  ///< bound of the norm of the Hessian by the scores
    Sizes sizes;               ///< of the features
};

/** The norm of a symmetric matrix is at most the largest sum of the sizes in a column. */
ScoreSlopes score_slopes(const PublicSample &sample) {
    constexpr std::size_t kBlock = 256;
    const loss::ScoreLoss &output = *sample.loss().output();
    const std::size_t outputs = output.outputs();
    const std::vector<double> labels = sample.rows().labels();
    ScoreSlopes slopes{std::vector<double>(labels.size()), std::vector<double>(labels.size()),
                       Sizes(sample.rows().dimension())};
    arma::mat columns;
    for (std::size_t begin = 0; begin < labels.size(); begin += kBlock) {
        const std::size_t n = std::min(kBlock, labels.size() - begin);
        sample.rows().fill(begin, begin + n, columns);
        slopes.sizes.add(columns);
        const loss::Block block{n, sample.rows().dimension(), columns.memptr(), &labels[begin]};
        arma::mat score(n, outputs);
        output.scores(block, {sample.fit().memptr(), sample.fit().n_elem},
                      {score.memptr(), score.n_elem});
        arma::mat slope(n, outputs);
        std::vector<double> loss(n);
        output.slopes(n, score.memptr(), block.label, loss.data(), slope.memptr());
        arma::mat column(n, outputs);
        for (std::size_t k = 0; k < outputs; ++k) {
            arma::mat direction(n, outputs, arma::fill::zeros);
            direction.col(k).ones();
            output.curvatures(n, score.memptr(), block.label, direction.memptr(), column.memptr());
            const arma::vec size = arma::sum(arma::abs(column), 1);
            for (std::size_t i = 0; i < n; ++i)
                slopes.bend[begin + i] = std::max(slopes.bend[begin + i], size(i));
        }
        for (std::size_t i = 0; i < n; ++i) slopes.norm[begin + i] = arma::norm(slope.row(i));
    }
    return slopes;
}

/** Mean of g g' with its ridge, or the diagonal of that. */
arma::mat gradient_moments(const PublicSample &sample, bool full, double rho) {
    const LossRows &rows = sample.loss_rows();
    const arma::uword parameters = rows.parameters();
    constexpr arma::uword kBatch = 64;
    arma::mat batch(parameters, kBatch, arma::fill::zeros);
    arma::mat sum(parameters, full ? parameters : 1, arma::fill::zeros);
    Sizes sizes(parameters);
    arma::uword filled = 0;
    const auto flush = [&] {
        sizes.add(batch);
        sum += full ? arma::mat(batch * batch.t()) : arma::mat(arma::sum(arma::square(batch), 1));
        batch.zeros();
        filled = 0;
    };
    rows.each_gradient(sample.fit(), [&](std::size_t, double, std::span<const double> gradient) {
        std::copy(gradient.begin(), gradient.end(), batch.colptr(filled));
        if (++filled == kBatch) flush();
    });
    flush();
    sum /= static_cast<double>(rows.rows());
    if (!full) return sum + sizes.ridge(sum.col(0), rho);
    sum.diag() += sizes.ridge(sum.diag(), rho);
    return sum;
}

/** Curvature of the public mean loss in the metric, from differences of its gradient; 1 where there
 *  is none. Of a perceptron the largest, by power iteration: it is flat beyond the reach of the
 *  metric, and steps do not come back from there. Else the mean over directions (an estimate of a
 *  trace; Hutchinson, 1990). */
double public_curvature(const PublicSample &sample, const GeneralMetric &metric) {
    constexpr int kDirections = 12;
    constexpr double kStep = 1e-5;
    const loss::ScoreLoss *output = sample.loss().output();
    const bool layered = output != nullptr && output != &sample.loss();
    const LossRows &rows = sample.loss_rows();
    const std::vector<double> weight(rows.rows(), 1.0 / static_cast<double>(rows.rows()));
    std::vector<double> losses(rows.rows());
    const arma::vec &fit = sample.fit();
    const arma::vec gradient = rows.gradient(fit, weight.data(), losses.data());
    const arma::vec index = arma::regspace(1.0, static_cast<double>(fit.n_elem));
    arma::vec direction = arma::normalise(arma::sin(index));  // any will do
    double mean = 0.0;
    double largest = 0.0;
    for (int k = 1; k <= kDirections; ++k) {
        const arma::vec way = metric.to_theta(direction);
        const double step = kStep * (1.0 + arma::norm(fit)) / arma::norm(way);
        const arma::vec moved = rows.gradient(fit + step * way, weight.data(), losses.data());
        const arma::vec bend = metric.slope(moved - gradient) / step;
        mean += std::abs(arma::dot(bend, direction)) / kDirections;
        largest = std::max(largest, arma::norm(bend));
        if (!(largest > 0.0)) break;
        direction = arma::normalise(layered ? bend : arma::vec(arma::sin((k + 1) * index)));
    }
    const double curvature = layered ? largest : mean;
    return curvature > 0.0 && std::isfinite(curvature) ? curvature : 1.0;
}

}  // namespace

GeneralMetric hessian_metric(const PublicSample &sample, const PrivacySettings &settings) {
    ScoreSlopes slopes = score_slopes(sample);
    for (double &bend : slopes.bend) bend /= static_cast<double>(slopes.bend.size());
    arma::mat h = sample.rows().gram(slopes.bend.data());
    h.diag() += slopes.sizes.ridge(h.diag(), settings.metric_ridge.value_or(kRidge));
    const linalg::Spectrum p = linalg::decompose(std::move(h));
    GeneralMetric metric;
    metric.maps_rows = true;
    metric.scale = roots(p.values);
    metric.vectors = p.vectors;
    metric.blocks = sample.loss().output()->outputs();
    const std::vector<double> size = sample.rows().mapped_norms(metric.map());
    for (std::size_t i = 0; i < size.size(); ++i) slopes.norm[i] *= size[i];
    set_clip(std::move(slopes.norm), settings, metric);
    return metric;
}

GeneralMetric gradient_metric(const PublicSample &sample, const PrivacySettings &settings) {
    constexpr arma::uword kMostFull = 256;
    const bool full = sample.fit().n_elem <= kMostFull;
    arma::mat moments = gradient_moments(sample, full, settings.metric_ridge.value_or(kRidge));
    GeneralMetric metric;
    if (full) {
        const linalg::Spectrum f = linalg::decompose(std::move(moments));
        metric.scale = roots(f.values);
        metric.vectors = f.vectors;
    } else {
        metric.scale = arma::sqrt(moments.col(0));
    }
    metric.scale *= std::sqrt(public_curvature(sample, metric));
    std::vector<double> norm(sample.rows().rows());
    sample.loss_rows().each_gradient(
        sample.fit(), [&](std::size_t i, double, std::span<const double> gradient) {
            norm[i] = arma::norm(metric.slope(arma::vec(gradient.data(), gradient.size())));
        });
    set_clip(std::move(norm), settings, metric);
    return metric;
}

}  // namespace dpadapt
