#include "private/gradient_metric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "private/typical_squares.hpp"
#include "problem/defaults.hpp"

namespace dpadapt {
namespace {

/** The diagonal of the ridge. */
arma::vec ridge(const arma::vec &moments, const arma::vec &sizes, double rho) {
    const double mean = arma::mean(moments / sizes);
    return mean > std::numeric_limits<double>::min() ? rho * mean * sizes
                                                     : arma::vec(sizes.n_elem, arma::fill::ones);
}

/** Mean of g g' with its ridge, or the diagonal of that. */
arma::mat gradient_moments(const PublicSample &sample, bool full, double rho) {
    const LossRows &rows = sample.loss_rows();
    const arma::uword parameters = rows.parameters();
    constexpr arma::uword kBatch = 64;
    arma::mat batch(parameters, kBatch, arma::fill::zeros);
    arma::mat sum(parameters, full ? parameters : 1, arma::fill::zeros);
    TypicalSquares sizes(parameters);
    arma::uword filled = 0;
    const std::vector<double> relative = rows.sample().shares(static_cast<double>(rows.rows()));
    arma::rowvec weight(kBatch, arma::fill::zeros);
    const auto flush = [&] {
        sizes.add(batch, weight);
        batch.each_row() %= arma::sqrt(weight);
        sum += full ? arma::mat(batch * batch.t()) : arma::mat(arma::sum(arma::square(batch), 1));
        batch.zeros();
        filled = 0;
    };
    rows.each_gradient(sample.fit(), [&](std::size_t i, double, std::span<const double> gradient) {
        weight(filled) = relative[i];
        std::copy(gradient.begin(), gradient.end(), batch.colptr(filled));
        if (++filled == kBatch) flush();
    });
    flush();
    sum /= static_cast<double>(rows.rows());
    if (!full) return sum + ridge(sum.col(0), sizes(), rho);
    sum.diag() += ridge(sum.diag(), sizes(), rho);
    return sum;
}

/** Curvature of the public mean loss in the metric, from differences of its gradient; 1 where there
 *  is none. Of a perceptron the largest, by power iteration: it is flat beyond the reach of the
 *  metric, and steps do not come back from there. Else the mean over directions (an estimate of a
 *  trace; Hutchinson, 1990). */
double public_curvature(const PublicSample &sample, const Metric &metric) {
    constexpr int kDirections = 12;
    constexpr double kStep = 1e-5;
    const loss::ScoreLoss *output = sample.loss().output();
    const bool layered = output != nullptr && output != &sample.loss();
    const LossRows &rows = sample.loss_rows();
    const std::vector<double> weight = rows.sample().shares();
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

/** Roots of eigenvalues that rounding may have made too small: columns of very different units. */
arma::vec roots(const arma::vec &values) {
    constexpr double kRounding = 1e-14;
    return arma::sqrt(arma::clamp(values, kRounding * values.max(), arma::datum::inf));
}

void set_basis(arma::mat moments, bool full, Metric &metric) {
    if (!full) {
        metric.scale = arma::sqrt(moments.col(0));
        return;
    }
    const linalg::Spectrum f = linalg::decompose(std::move(moments));
    const arma::vec root = roots(f.values);
    metric.map = arma::diagmat(1.0 / root) * f.vectors.t();
    metric.inverse = arma::diagmat(root) * f.vectors.t();
}

}  // namespace

Metric make_gradient_metric(const PublicSample &sample, const PrivacySettings &settings) {
    constexpr arma::uword kMostFull = 256;
    const bool full = sample.fit().n_elem <= kMostFull;
    arma::mat moments =
        gradient_moments(sample, full, settings.metric_ridge.value_or(defaults::kMetricRidge));
    Metric metric;
    set_basis(std::move(moments), full, metric);
    const double root = std::sqrt(public_curvature(sample, metric));
    metric.scale *= root;
    metric.map /= root;
    metric.inverse *= root;
    metric.start = metric.to_v(sample.fit());
    std::vector<double> norm(sample.rows().rows());
    sample.loss_rows().each_gradient(
        sample.fit(), [&](std::size_t i, double, std::span<const double> gradient) {
            norm[i] = arma::norm(metric.slope(arma::vec(gradient.data(), gradient.size())));
        });
    metric.set_clip(sample.rows(), norm, norm, settings);
    return metric;
}

}  // namespace dpadapt
