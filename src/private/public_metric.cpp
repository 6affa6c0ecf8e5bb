#include "private/public_metric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/defaults.hpp"

namespace dpadapt {

namespace {

constexpr double kMostRidge = defaults::kMetricRidge;
constexpr double kLeastRidge = 1e-5;
constexpr double kShareOfNoise = 0.1;
constexpr double kConstant = 1e-12;  // of the mean of all

/** Spectrum of the public Hessian in units of the features' sizes; a ridge is in units of its
 *  mean. */
struct PublicHessian {
    arma::vec root_sizes;
    arma::vec values;
    arma::mat vectors;
    double mean;

    PublicHessian(const PublicSample &sample, const PublicTerms &terms)
        : root_sizes(sample.choice().kind == loss::Kind::squared
                         ? arma::vec(arma::size(terms.sizes), arma::fill::ones)
                         : arma::vec(arma::sqrt(terms.sizes))) {
        arma::mat h = public_hessian(sample, terms);
        h.each_col() /= root_sizes;
        h.each_row() /= root_sizes.t();
        // Columns that are constant here may not be so in the private sample.
        const double typical = arma::mean(h.diag());
        for (arma::uword j = 0; j < h.n_rows; ++j)
            if (h(j, j) <= kConstant * typical) h(j, j) = typical;
        const linalg::Spectrum spectrum = linalg::decompose(arma::symmatu(h));
        values = arma::clamp(spectrum.values, 0.0, arma::datum::inf);
        vectors = spectrum.vectors;
        mean = std::max(0.0, arma::mean(spectrum.values));
    }

    [[nodiscard]] arma::vec with_ridge(double rho) const {
        return values + (mean > 0.0 ? rho * mean : 1.0);
    }
};

/** Largest ridge with which the steps, had they to find the public fit from zero, would come so
 *  near to it that the public loss is within 2 % of its minimum. After T steps of a running mean
 *  T^-h of an error is left in a direction whose moment is h in the metric. */
double ridge_within_reach(const PublicHessian &h, const PublicSample &sample, double unit,
                          double loss, double steps) {
    constexpr double kExcess = 0.02;
    const arma::uword outputs = sample.fit().n_elem / h.values.n_elem;
    const arma::mat blocks = arma::reshape(sample.fit(), h.values.n_elem, outputs);
    const arma::mat fit = h.vectors.t() * (arma::diagmat(h.root_sizes) * blocks);
    const arma::vec square = arma::sum(arma::square(fit), 1);
    // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): halves are exact
    for (double rho = kMostRidge; rho > kLeastRidge; rho /= 2.0) {
        const arma::vec left = arma::exp(-2.0 * std::log(steps) * h.values / h.with_ridge(rho));
        if (0.5 * unit * arma::dot(square, h.values % left) <= kExcess * loss) return rho;
    }
    return kLeastRidge;
}

}  // namespace

arma::mat public_hessian(const PublicSample &sample, const PublicTerms &terms) {
    if (sample.choice().kind == loss::Kind::squared) return sample.moments().second;
    std::vector<double> weight = sample.rows().shares();
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] *= terms.curvature[i];
    return sample.rows().gram(weight.data());
}

Metric metric_of_basis(const PublicSample &sample, const PublicTerms &terms,
                       const PrivacySettings &settings, arma::mat map, arma::mat inverse,
                       const ClipGoal &goal) {
    Metric metric;
    metric.maps_rows = true;
    metric.blocks = sample.loss().output()->outputs();
    metric.unit = sample.loss().output()->largest_curvature();
    metric.map = std::move(map);
    metric.inverse = std::move(inverse);
    metric.start = metric.to_v(terms.theta);
    const std::vector<double> rows = sample.rows().mapped_norms(metric.map);
    std::vector<double> norms(rows);
    std::vector<double> kept(rows);
    for (std::size_t i = 0; i < norms.size(); ++i) {
        kept[i] *= std::max(terms.slope[i], terms.kept_slope);
        norms[i] *= terms.slope[i];
    }
    PrivacySettings clipped = settings;
    if (!settings.clip_bound && goal.noise > 0.0 && !(terms.kept_slope > 0.0)) {
        const ClipChoice choice =
            choose_clip(sample, terms, metric, norms, rows, settings.clip_quantile, goal);
        clipped.clip_quantile = choice.quantile;
        metric.clip_moves = choice.moved;
    }
    metric.set_clip(sample.rows(), std::move(kept), norms, clipped);
    return metric;
}

HessianMetric make_hessian_metric(const PublicSample &sample, const PublicTerms &terms,
                                  const PrivacySettings &settings, const MetricGoal &goal) {
    const PublicHessian h(sample, terms);
    const auto metric_with = [&](double rho) {
        const arma::vec root = arma::sqrt(h.with_ridge(rho));
        return metric_of_basis(
            sample, terms, settings,
            arma::diagmat(1.0 / root) * h.vectors.t() * arma::diagmat(1.0 / h.root_sizes),
            arma::diagmat(root) * h.vectors.t() * arma::diagmat(h.root_sizes),
            {goal.private_rows, goal.noise / goal.share});
    };
    double rho = settings.metric_ridge.value_or(kMostRidge);
    Metric metric = metric_with(rho);
    if (!settings.metric_ridge && goal.refined && metric.term_square > 0.0) {
        const double deviation = goal.noise * metric.clip;
        const double of_noise =
            static_cast<double>(metric.start.n_elem) * deviation * deviation / metric.term_square +
            1.0 / goal.private_rows;
        const double of_reach =
            ridge_within_reach(h, sample, metric.unit, terms.loss, static_cast<double>(goal.steps));
        rho = std::clamp(std::max(kShareOfNoise * of_noise, of_reach), kLeastRidge, kMostRidge);
        if (rho < kMostRidge) metric = metric_with(rho);
    }
    return {std::move(metric), h.values / h.with_ridge(rho)};
}

}  // namespace dpadapt
