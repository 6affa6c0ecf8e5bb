#include "solver/metric.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "problem/quantile.hpp"

namespace dpadapt {

Metric change_metric(const PrivateProblem &problem, const PrivacySettings &settings, arma::mat map,
                     arma::mat inverse) {
    const PublicSample &sample = *problem.public_sample();
    Metric metric;
    metric.map = std::move(map);
    metric.inverse = std::move(inverse);
    metric.matrix = linalg::decompose(arma::symmatu(metric.inverse.t() * metric.inverse));
    metric.start = metric.inverse * sample.fit();

    std::vector<double> residual(sample.rows().rows());
    sample.rows().residuals(sample.fit(), residual.data());
    std::vector<double> term = sample.rows().mapped_norms(metric.map);
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

PublicMetric make_public_metric(const PrivateProblem &problem, const PrivacySettings &settings,
                                double noise, double private_rows, bool refined) {
    constexpr double kMost = 0.1;
    constexpr double kLeast = 1e-3;
    const linalg::Spectrum h = linalg::decompose(problem.public_sample()->moments().second);
    const arma::vec values = arma::clamp(h.values, 0.0, arma::datum::inf);
    const auto d = static_cast<double>(values.n_elem);
    const double mean = arma::mean(values);
    const auto metric_with = [&](double rho) {
        const arma::vec root = arma::sqrt(values + (mean > 0.0 ? rho * mean : 1.0));
        return change_metric(problem, settings, arma::diagmat(1.0 / root) * h.vectors.t(),
                             arma::diagmat(root) * h.vectors.t());
    };
    double rho = settings.metric_ridge.value_or(kMost);
    Metric metric = metric_with(rho);
    if (!settings.metric_ridge && refined) {
        const double deviation = noise * metric.clip;
        const double relative =
            metric.term_square > 0.0
                ? d * deviation * deviation / metric.term_square + 1.0 / private_rows
                : kMost;
        rho = std::clamp(relative, kLeast, kMost);
        if (rho < kMost) metric = metric_with(rho);
    }
    return {std::move(metric), values / (values + (mean > 0.0 ? rho * mean : 1.0))};
}

Metric make_metric_without_data(const PrivateProblem &problem, const PrivacySettings &settings) {
    const double radius = problem.record_radius();
    if (!std::isfinite(radius) || !settings.clip_bound)
        throw Error(DPA_E_OPTION, "options feature_radius and clip_bound must be numbers when both "
                                  "samples are private: no public data can supply them");
    const arma::uword d = problem.dimension();
    const arma::mat identity(d, d, arma::fill::eye);
    return {identity / radius,
            identity * radius,
            linalg::decompose(radius * radius * identity),
            arma::vec(d, arma::fill::zeros),
            *settings.clip_bound,
            *settings.clip_bound * *settings.clip_bound};
}

arma::vec Metric::project(const arma::vec &v, double radius) const {
    const arma::vec w = map.t() * v;
    if (arma::norm(w) <= radius) return v;
    const arma::vec slope = -(matrix.matrix * w);
    return inverse * linalg::minimize_in_ball(matrix, slope, radius).x;
}

}  // namespace dpadapt
