#include "solver/metric.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "problem/defaults.hpp"
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
    metric.clip =
        settings.clip_bound ? *settings.clip_bound : quantile(term, settings.clip_quantile);
    if (!(metric.clip > 0.0)) metric.clip = 1.0;  // the public fit is exact: any scale will do
    for (const double norm : term) {
        const double clipped = std::min(norm, metric.clip);
        metric.term_square += clipped * clipped / static_cast<double>(term.size());
    }
    return metric;
}

namespace {

constexpr double kMostRidge = defaults::kMetricRidge;
constexpr double kLeastRidge = 1e-5;
constexpr double kShareOfNoise = 0.1;

/** Spectrum of the public second moments; a ridge is in units of their mean. */
struct PublicSpectrum {
    arma::vec values;
    arma::mat vectors;
    double mean;

    [[nodiscard]] arma::vec with_ridge(double rho) const {
        return values + (mean > 0.0 ? rho * mean : 1.0);
    }
};

/** Largest ridge with which the steps, had they to find the public fit from zero, would come so
 *  near to it that the public loss is within 2 % of its minimum. After T steps of a running mean
 *  T^-h of an error is left in a direction whose moment is h in the metric. */
double ridge_within_reach(const PublicSpectrum &h, const PublicSample &sample, double steps) {
    constexpr double kExcess = 0.02;
    const arma::vec fit = h.vectors.t() * sample.fit();
    const double explained = arma::dot(fit, h.values % fit);
    const double loss = std::max(0.0, sample.moments().label - explained);
    for (double rho = kMostRidge; rho > kLeastRidge; rho /= 2.0) {
        const arma::vec left = arma::exp(-2.0 * std::log(steps) * h.values / h.with_ridge(rho));
        if (arma::dot(fit % fit, h.values % left) <= kExcess * loss) return rho;
    }
    return kLeastRidge;
}

}  // namespace

PublicMetric make_public_metric(const PrivateProblem &problem, const PrivacySettings &settings,
                                double noise, double private_rows, std::size_t steps,
                                bool refined) {
    const PublicSample &sample = *problem.public_sample();
    const linalg::Spectrum spectrum = linalg::decompose(sample.moments().second);
    const PublicSpectrum h{arma::clamp(spectrum.values, 0.0, arma::datum::inf), spectrum.vectors,
                           std::max(0.0, arma::mean(spectrum.values))};
    const auto metric_with = [&](double rho) {
        const arma::vec root = arma::sqrt(h.with_ridge(rho));
        return change_metric(problem, settings, arma::diagmat(1.0 / root) * h.vectors.t(),
                             arma::diagmat(root) * h.vectors.t());
    };
    double rho = settings.metric_ridge.value_or(kMostRidge);
    Metric metric = metric_with(rho);
    if (!settings.metric_ridge && refined && metric.term_square > 0.0) {
        const double deviation = noise * metric.clip;
        const double of_noise =
            static_cast<double>(h.values.n_elem) * deviation * deviation / metric.term_square +
            1.0 / private_rows;
        const double of_reach = ridge_within_reach(h, sample, static_cast<double>(steps));
        rho = std::clamp(std::max(kShareOfNoise * of_noise, of_reach), kLeastRidge, kMostRidge);
        if (rho < kMostRidge) metric = metric_with(rho);
    }
    return {std::move(metric), h.values / h.with_ridge(rho)};
}

Metric make_metric_without_data(const PrivateProblem &problem, const PrivacySettings &settings) {
    const double radius = problem.record_radius();
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
