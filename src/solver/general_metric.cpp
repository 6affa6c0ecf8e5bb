#include "solver/general_metric.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "linalg/trust_region.hpp"
#include "problem/quantile.hpp"

namespace dpadapt {
namespace {

constexpr double kRidge = 0.1;

/** The blocks of theta side by side. */
arma::mat in_blocks(const arma::vec &theta, arma::uword blocks) {
    return arma::reshape(theta, theta.n_elem / blocks, blocks);
}

/** Typical squares of coordinates where they are not 0: mean of z^4 over mean of z^2. */
class Sizes {
  public:
    explicit Sizes(arma::uword n) : square_(n, arma::fill::zeros), fourth_(square_) {}

    void add(const arma::mat &columns) {
        const arma::mat squares = arma::square(columns);
        square_ += arma::sum(squares, 1);
        fourth_ += arma::sum(arma::square(squares), 1);
    }

    /** Diagonal of a ridge that does not depend on the units of the coordinates, and holds back those that few public
     *  records have: rho times the mean of `moments` in units of the sizes. */
    [[nodiscard]] arma::vec ridge(const arma::vec &moments, double rho) const {
        arma::vec sizes(square_.n_elem, arma::fill::ones);
        for (arma::uword j = 0; j < sizes.n_elem; ++j)
            if (fourth_(j) > 0.0) sizes(j) = fourth_(j) / square_(j);
        const double mean = arma::mean(moments / sizes);
        return mean > 0.0 ? rho * mean * sizes : sizes;
    }

  private:
    arma::vec square_;
    arma::vec fourth_;
};

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

GeneralMetric hessian_metric(const PublicSample &sample, const PrivacySettings &settings) {
    ScoreSlopes slopes = score_slopes(sample);
    for (double &bend : slopes.bend) bend /= static_cast<double>(slopes.bend.size());
    arma::mat h = sample.rows().gram(slopes.bend.data());
    h.diag() += slopes.sizes.ridge(h.diag(), settings.metric_ridge.value_or(kRidge));
    const linalg::Spectrum p = linalg::decompose(std::move(h));
    GeneralMetric metric;
    metric.maps_rows = true;
    metric.scale = arma::sqrt(p.values);
    metric.vectors = p.vectors;
    metric.blocks = sample.loss().output()->outputs();
    const std::vector<double> size = sample.rows().mapped_norms(metric.map());
    for (std::size_t i = 0; i < size.size(); ++i) slopes.norm[i] *= size[i];
    set_clip(std::move(slopes.norm), settings, metric);
    return metric;
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

/** Mean curvature of the public mean loss in the metric, from differences of its gradient along some directions (an
 *  estimate of a trace; Hutchinson, 1990); 1 where there is none. */
double mean_curvature(const PublicSample &sample, const GeneralMetric &metric) {
    constexpr int kDirections = 8;
    constexpr double kStep = 1e-5;
    const LossRows &rows = sample.loss_rows();
    const std::vector<double> weight(rows.rows(), 1.0 / static_cast<double>(rows.rows()));
    std::vector<double> losses(rows.rows());
    const arma::vec &fit = sample.fit();
    const arma::vec gradient = rows.gradient(fit, weight.data(), losses.data());
    const arma::vec index = arma::regspace(1.0, static_cast<double>(fit.n_elem));
    double sum = 0.0;
    for (int k = 1; k <= kDirections; ++k) {
        const arma::vec direction = arma::sin(k * index);  // any will do
        const arma::vec way = metric.to_theta(direction);
        const double step = kStep * (1.0 + arma::norm(fit)) / arma::norm(way);
        const arma::vec moved = rows.gradient(fit + step * way, weight.data(), losses.data());
        const arma::vec bend = metric.slope(moved - gradient) / step;
        sum += std::abs(arma::dot(bend, direction)) / arma::dot(direction, direction);
    }
    const double curvature = sum / kDirections;
    return curvature > 0.0 && std::isfinite(curvature) ? curvature : 1.0;
}

GeneralMetric gradient_metric(const PublicSample &sample, const PrivacySettings &settings) {
    constexpr arma::uword kMostFull = 256;
    const bool full = sample.fit().n_elem <= kMostFull;
    arma::mat moments = gradient_moments(sample, full, settings.metric_ridge.value_or(kRidge));
    GeneralMetric metric;
    if (full) {
        const linalg::Spectrum f = linalg::decompose(std::move(moments));
        metric.scale = arma::sqrt(f.values);
        metric.vectors = f.vectors;
    } else {
        metric.scale = arma::sqrt(moments.col(0));
    }
    metric.scale *= std::sqrt(mean_curvature(sample, metric));
    std::vector<double> norm(sample.rows().rows());
    sample.loss_rows().each_gradient(
        sample.fit(), [&](std::size_t i, double, std::span<const double> gradient) {
            norm[i] = arma::norm(metric.slope(arma::vec(gradient.data(), gradient.size())));
        });
    set_clip(std::move(norm), settings, metric);
    return metric;
}

/** Bound of the Hessian of a record, as far as one is known; for a perceptron as if its scores were linear. */
double record_curvature(const PrivateProblem &problem) {
    const double radius = problem.record_radius();
    const loss::Domain domain{problem.hyperparameters().radius, radius,
                              problem.clipping().label_bound};
    const loss::ScoreLoss *output = problem.loss().output();
    const double bound = output != nullptr ? output->bounds(domain).smoothness
                                           : problem.loss().bounds(domain).smoothness;
    return bound > 0.0 && std::isfinite(bound) ? bound : radius * radius;
}

GeneralMetric metric_without_data(const PrivateProblem &problem, const PrivacySettings &settings) {
    GeneralMetric metric;
    metric.scale.set_size(problem.loss().parameters(problem.dimension()));
    metric.scale.fill(std::sqrt(record_curvature(problem)));
    metric.clip = *settings.clip_bound;
    metric.term_square = metric.clip * metric.clip;
    return metric;
}

}  // namespace

arma::mat GeneralMetric::map() const {
    if (vectors.is_empty()) return {};
    return arma::diagmat(1.0 / scale) * vectors.t();
}

arma::vec GeneralMetric::to_v(const arma::vec &theta) const {
    arma::mat columns = in_blocks(theta, blocks);
    if (!vectors.is_empty()) columns = vectors.t() * columns;
    columns.each_col() %= scale;
    return arma::vectorise(columns);
}

arma::vec GeneralMetric::to_theta(const arma::vec &v) const {
    arma::mat columns = in_blocks(v, blocks);
    columns.each_col() /= scale;
    if (!vectors.is_empty()) columns = vectors * columns;
    return arma::vectorise(columns);
}

arma::vec GeneralMetric::slope(const arma::vec &gradient) const {
    arma::mat columns = in_blocks(gradient, blocks);
    if (!vectors.is_empty()) columns = vectors.t() * columns;
    columns.each_col() /= scale;
    return arma::vectorise(columns);
}

arma::vec GeneralMetric::project(const arma::vec &v, double radius) const {
    const arma::vec root = arma::repmat(scale, blocks, 1);
    const arma::vec theta = v / root;  // in the basis V
    if (arma::norm(theta) <= radius) return v;
    const arma::vec values = arma::square(root);
    const arma::uvec order = arma::stable_sort_index(values);
    const arma::vec gamma = -values % theta;
    arma::vec nearest(v.n_elem);
    nearest(order) = linalg::minimize_secular(values(order), gamma(order), radius).coordinates;
    return root % nearest;
}

GeneralMetric make_general_metric(const PrivateProblem &problem, const Settings &settings) {
    const bool linear = problem.loss().output() == &problem.loss();
    const MetricKind kind =
        settings.privacy.metric.value_or(linear ? MetricKind::hessian : MetricKind::gradients);
    if (kind == MetricKind::hessian && !linear)
        throw Error(DPA_E_OPTION,
                    "option metric = hessian needs a loss of scores that are linear in the "
                    "features");
    const PublicSample *sample = problem.public_sample();
    GeneralMetric metric = sample == nullptr ? metric_without_data(problem, settings.privacy)
                           : kind == MetricKind::hessian
                               ? hessian_metric(*sample, settings.privacy)
                               : gradient_metric(*sample, settings.privacy);
    if (!metric.scale.is_finite() || !(metric.scale.min() > 0.0))
        throw Error(DPA_E_NUMERICAL, "the metric of the private steps overflows; scale the data");
    metric.start = metric.to_v(problem.start(settings.loss.start_seed));
    return metric;
}

}  // namespace dpadapt
