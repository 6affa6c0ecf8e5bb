#include "private/public_metric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/splitmix.hpp"
#include "problem/defaults.hpp"

namespace dpadapt {

namespace {

constexpr double kMostRidge = defaults::kMetricRidge;
constexpr double kLeastRidge = 1e-5;
constexpr double kRidgeAtZero = 2.0;        // docs/defaults.md
constexpr double kRidgeOfTwoClasses = 1.0;  // docs/defaults.md
constexpr double kOfMedian = 4.0;           // docs/defaults.md
constexpr double kNoiseOfTwoClasses = 3.0;  // docs/defaults.md
constexpr double kLacking = 1e-6;           // of the mean; docs/defaults.md
constexpr double kFewRows = 2.0;            // a parameter (docs/defaults.md)
constexpr double kShareOfNoise = 0.1;       // docs/defaults.md
constexpr double kConstant = 1e-12;         // of the mean of all

/** Spectrum of the public Hessian in units of the features' sizes; a ridge is in units of its
 *  mean. */
struct PublicHessian {
    arma::vec root_sizes;
    linalg::Spectrum spectrum;
    arma::vec values;
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
        spectrum = linalg::decompose(arma::symmatu(h));
        values = arma::clamp(spectrum.values, 0.0, arma::datum::inf);
        mean = std::max(0.0, arma::mean(spectrum.values));
    }

    /** Directions that the public rows lack have as long an axis as a typical one: those of the
     *  private rows may lie there. */
    [[nodiscard]] arma::vec with_ridge(double rho) const {
        arma::vec sums = values + (mean > 0.0 ? rho * mean : 1.0);
        sums(arma::find(values <= kLacking * mean)) += std::max(0.0, 1.0 - rho) * mean;
        return sums;
    }

    /** For two classes no more than kOfMedian medians: where columns have long tails most rows have
     *  scores of which the loss is nearly linear, and the intercept alone makes up the mean. */
    [[nodiscard]] double ridge_of_two_classes() const {
        arma::vec there = values(arma::find(values > kLacking * mean));
        if (there.is_empty()) return kRidgeOfTwoClasses;
        return std::min(kRidgeOfTwoClasses, kOfMedian * arma::median(there) / mean);
    }
};

/** Largest ridge with which the steps, had they to find the public fit from zero, would come so
 *  near to it that the public loss is within 2 % of its minimum. After T steps of a running mean
 *  T^-h of an error is left in a direction whose moment is h in the metric. */
double ridge_within_reach(const PublicHessian &h, const PublicSample &sample, double unit,
                          double loss, double steps) {
    constexpr double kExcess = 0.02;  // docs/defaults.md
    const arma::uword outputs = sample.fit().n_elem / h.values.n_elem;
    const arma::mat blocks = arma::reshape(sample.fit(), h.values.n_elem, outputs);
    const arma::mat fit = h.spectrum.vectors.t() * (arma::diagmat(h.root_sizes) * blocks);
    const arma::vec square = arma::sum(arma::square(fit), 1);
    // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): halves are exact
    for (double rho = kMostRidge; rho > kLeastRidge; rho /= 2.0) {
        const arma::vec left = arma::exp(-2.0 * std::log(steps) * h.values / h.with_ridge(rho));
        if (0.5 * unit * arma::dot(square, h.values % left) <= kExcess * loss) return rho;
    }
    return kLeastRidge;
}

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
    SplitMix64 bits(1);
    const auto any = [&] {
        arma::vec way(fit.n_elem);
        for (double &part : way) part = bits.symmetric();
        return arma::vec(arma::normalise(way));
    };
    arma::vec direction = any();
    double mean = 0.0;
    double largest = 0.0;
    for (int k = 0; k < kDirections; ++k) {
        const arma::vec way = metric.to_theta(direction);
        const double step = kStep * (rows.units().parameter + arma::norm(fit)) / arma::norm(way);
        const arma::vec moved = rows.gradient(fit + step * way, weight.data(), losses.data());
        const arma::vec product = metric.slope(moved - gradient) / step;
        mean += std::abs(arma::dot(product, direction)) / kDirections;
        largest = std::max(largest, arma::norm(product));
        if (!(largest > 0.0)) break;
        direction = layered ? arma::vec(arma::normalise(product)) : any();
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
    metric.map = f.with(1.0 / root);
    metric.inverse = f.with(root);
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
                       arma::mat public_map, const ClipGoal &goal) {
    Metric metric;
    metric.maps_rows = true;
    metric.blocks = sample.loss().output()->outputs();
    metric.unit = sample.loss().output()->largest_curvature();
    metric.map = std::move(map);
    metric.inverse = std::move(inverse);
    metric.public_map = std::move(public_map);
    metric.start = metric.to_v(terms.theta);
    const std::vector<double> rows = sample.rows().mapped_norms(metric.public_map);
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
        const arma::mat map = h.spectrum.with(1.0 / root) * arma::diagmat(1.0 / h.root_sizes);
        return metric_of_basis(sample, terms, settings, map,
                               h.spectrum.with(root) * arma::diagmat(h.root_sizes), map,
                               {goal.private_rows, goal.noise / goal.share});
    };
    // Axes of few rows are any axes.
    const bool few = sample.effective_rows() < kFewRows * static_cast<double>(h.values.n_elem);
    const bool quadratic = sample.choice().kind == loss::Kind::squared;
    const bool classes = loss::predicts_classes(sample.choice());
    const bool zero = classes && !arma::any(terms.theta);
    const bool two = classes && sample.loss().output()->outputs() == 1;
    const bool tails = two && !zero && !goal.far;
    double rho = zero ? kRidgeAtZero : tails ? h.ridge_of_two_classes() : kMostRidge;
    if (few && quadratic) rho = 1.0;
    rho = settings.metric_ridge.value_or(rho);
    Metric metric = metric_with(rho);
    const bool refined = goal.refined && !few && !zero && !two;
    if (!settings.metric_ridge && (tails || refined) && metric.term_square > 0.0) {
        const double deviation = goal.noise * metric.clip;
        const double of_noise =
            static_cast<double>(metric.start.n_elem) * deviation * deviation / metric.term_square +
            1.0 / goal.private_rows;
        const double before = rho;
        rho = tails ? std::clamp(kNoiseOfTwoClasses * of_noise, rho, kRidgeOfTwoClasses)
                    : std::clamp(std::max(kShareOfNoise * of_noise,
                                          ridge_within_reach(h, sample, metric.unit, terms.loss,
                                                             static_cast<double>(goal.steps))),
                                 kLeastRidge, kMostRidge);
        if (rho != before) metric = metric_with(rho);
    }
    return {std::move(metric), h.spectrum.with(h.values / h.with_ridge(rho))};
}

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
