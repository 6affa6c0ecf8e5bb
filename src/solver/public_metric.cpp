#include "solver/public_metric.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "problem/quantile.hpp"

namespace dpadapt {
namespace {

/** P with its spectrum, and the root of its inverse. */
PublicMetric metric_of(arma::mat matrix) {
    PublicMetric metric;
    metric.matrix = linalg::decompose(std::move(matrix));
    metric.inverse_root = metric.matrix.vectors *
                          arma::diagmat(1.0 / arma::sqrt(metric.matrix.values)) *
                          metric.matrix.vectors.t();
    return metric;
}

PublicMetric metric_without_data(const PrivateProblem &problem, const PrivacySettings &settings) {
    const double radius = problem.record_radius();
    if (!std::isfinite(radius) || !settings.clip_bound)
        throw Error(DPA_E_OPTION, "options feature_radius and clip_bound must be numbers when both "
                                  "samples are private: no public data can supply them");
    const arma::uword d = problem.dimension();
    PublicMetric metric = metric_of(radius * radius * arma::mat(d, d, arma::fill::eye));
    metric.fit.zeros(d);
    metric.clip = *settings.clip_bound;
    metric.term_square = metric.clip * metric.clip;
    return metric;
}

}  // namespace

PublicMetric make_public_metric(const PrivateProblem &problem, const PrivacySettings &settings) {
    const PublicSample *sample = problem.public_sample();
    if (sample == nullptr) return metric_without_data(problem, settings);
    arma::mat h = sample->moments().second;
    const double mean = arma::trace(h) / static_cast<double>(h.n_rows);
    h.diag() += mean > 0.0 ? settings.metric_ridge * mean : 1.0;
    PublicMetric metric = metric_of(std::move(h));
    metric.fit = metric.matrix.vectors * (arma::sqrt(metric.matrix.values) %
                                          (metric.matrix.vectors.t() * sample->fit()));

    std::vector<double> residual(sample->rows().rows());
    sample->rows().residuals(sample->fit(), residual.data());
    std::vector<double> term = sample->rows().mapped_norms(metric.inverse_root);
    for (std::size_t i = 0; i < term.size(); ++i) term[i] *= std::abs(residual[i]);
    metric.clip = settings.clip_bound ? *settings.clip_bound
                                      : quantile(term, settings.clip_quantile);
    if (!(metric.clip > 0.0)) metric.clip = 1.0;  // the public fit is exact: any scale will do
    for (const double norm : term) {
        const double clipped = std::min(norm, metric.clip);
        metric.term_square += clipped * clipped / static_cast<double>(term.size());
    }
    return metric;
}

arma::vec PublicMetric::project(const arma::vec &v, double radius) const {
    const arma::vec w = inverse_root * v;
    if (arma::norm(w) <= radius) return v;
    const arma::vec slope = -(matrix.matrix * w);
    const arma::vec nearest = linalg::minimize_in_ball(matrix, slope, radius).x;
    return matrix.vectors * (arma::sqrt(matrix.values) % (matrix.vectors.t() * nearest));
}

}  // namespace dpadapt
