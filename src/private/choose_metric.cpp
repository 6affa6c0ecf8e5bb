#include "private/choose_metric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "private/left_out_rows.hpp"
#include "private/public_terms.hpp"
#include "private/shift.hpp"
#include "problem/defaults.hpp"
#include "problem/plan_request.hpp"

namespace dpadapt {

namespace {

/** Eigenvalues moved towards zero by `edge`. */
arma::mat shrink_spectrum(arma::mat matrix, double edge) {
    const linalg::Spectrum spectrum = linalg::decompose(std::move(matrix));
    const arma::vec kept = arma::sign(spectrum.values) %
                           arma::clamp(arma::abs(spectrum.values) - edge, 0.0, arma::datum::inf);
    return spectrum.vectors * arma::diagmat(kept) * spectrum.vectors.t();
}

/** C_M. */
double moments_bound(const PublicSample &sample, const PublicTerms &terms, const Metric &metric,
                     const PrivacySettings &settings) {
    std::vector<double> norms = sample.rows().mapped_norms(metric.map);
    for (std::size_t i = 0; i < norms.size(); ++i) norms[i] *= terms.curvature[i] * norms[i];
    const double bound = sample.rows().quantile(std::move(norms), settings.clip_quantile);
    return bound > 0.0 ? bound : 1.0;
}

Metric refine(const PrivateRun &run, const PublicTerms &terms, const PrivacySettings &settings,
              const HessianMetric &known, privacy::Domains domain, double share, double noise) {
    const PublicSample &sample = *run.problem.public_sample();
    const double n = moments_rows(run, domain);
    const auto d = static_cast<double>(known.moments.n_elem);
    const double most = moments_bound(sample, terms, known.metric, settings);
    const double edge = most * run.plan.moments->deviation() / n * std::sqrt(2.0 * d);
    const arma::mat difference =
        most * release_moments(run, domain, known.metric, most) - arma::diagmat(known.moments);
    const linalg::Spectrum mixed =
        linalg::decompose(share * shrink_spectrum(difference, edge) + arma::diagmat(known.moments));
    // An axis may be shorter than the public one only as far as noise cannot have made it so, and
    // of a quadratic loss, whose curvature at the anchor is that at the optimum.
    const bool quadratic = run.problem.choice().kind == loss::Kind::squared;
    const double shortest = quadratic ? 0.01 : 1.0;
    const double least = std::clamp(2.0 * share * edge, shortest, 1.0);
    const arma::vec root = arma::sqrt(arma::clamp(mixed.values, least, arma::datum::inf));
    return metric_of_basis(
        sample, terms, settings, arma::diagmat(1.0 / root) * mixed.vectors.t() * known.metric.map,
        arma::diagmat(root) * mixed.vectors.t() * known.metric.inverse, {n, noise / share});
}

/** At the anchor. Of the squared loss at the public fit: residuals of an anchor with a ridge are
 *  longer, and so were the clip and all noise, while only the first steps are near the anchor.
 *  Where it fits without error, for want of rows or of noise, its slopes have no scale, and those
 *  at zero take their place; where rows are few, they are as large as those of rows left out. */
PublicTerms terms_at(const PublicSample &sample, const arma::vec &anchor) {
    constexpr double kExact = 1e-10;
    const bool quadratic = sample.choice().kind == loss::Kind::squared;
    PublicTerms terms(sample, quadratic && !few_rows(sample) ? sample.fit() : anchor);
    PublicTerms zero(sample, arma::vec(anchor.n_elem, arma::fill::zeros));
    if (terms.loss <= kExact * zero.loss) {
        terms.slope = std::move(zero.slope);
    } else if (quadratic && few_rows(sample)) {
        const double left_out = LeftOutRows(sample, 0).own_fit(0.0).loss;
        if (left_out > terms.loss)
            for (double &slope : terms.slope) slope *= std::sqrt(left_out / terms.loss);
    }
    return terms;
}

Metric hessian_metric(const PrivateRun &run, const PrivacySettings &settings,
                      privacy::Domains domain, double share, const arma::vec &anchor) {
    const PublicSample &sample = *run.problem.public_sample();
    const double n = run.labelled_rows(domain);
    const double noise = run.plan.steps == 0 ? 0.0
                                             : share / n * run.plan.gradient.sigma() /
                                                   std::sqrt(static_cast<double>(run.plan.steps));
    const PublicTerms terms = terms_at(sample, anchor);
    HessianMetric metric = make_hessian_metric(
        sample, terms, settings, {n, noise, share, run.plan.steps, run.plan.moments.has_value()});
    if (run.plan.moments)
        metric.metric = refine(run, terms, settings, metric, domain, share, noise);
    metric.metric.start = metric.metric.to_v(anchor);
    return metric.metric;
}

/** Without public data: by the source's second moments, of records that are not shrunk by gradients
 *  which nobody knows. The clip bound, given for the isotropic metric, grows as a typical record
 *  does. */
Metric refine_without_data(const PrivateRun &run, Metric metric) {
    constexpr double kShortest = 1e-3;
    const privacy::Domains domain = run.plan.find(privacy::ReleaseKind::second_moments)->domains;
    const auto n = static_cast<double>(run.problem.rows(domain));
    const auto d = static_cast<double>(run.problem.dimension());
    const double longest = metric.map(0, 0) * run.problem.record_radius();
    const double most = longest * longest;
    Metric whole = metric;
    whole.clip = std::numeric_limits<double>::max();
    const double edge = most * run.plan.moments->deviation() / n * std::sqrt(2.0 * d);
    const linalg::Spectrum moments =
        linalg::decompose(most * release_moments(run, domain, whole, most));
    const arma::vec values =
        arma::clamp(moments.values, std::clamp(2.0 * edge, kShortest, 1.0), arma::datum::inf);
    const arma::vec known = arma::clamp(moments.values, edge, arma::datum::inf);
    metric.clip *= std::sqrt(arma::accu(known / values) / arma::accu(known));
    metric.term_square = metric.clip * metric.clip;
    const arma::vec root = arma::sqrt(values);
    metric.map = arma::diagmat(1.0 / root) * moments.vectors.t() * metric.map;
    metric.inverse = arma::diagmat(root) * moments.vectors.t() * metric.inverse;
    metric.start = metric.to_v(run.problem.start(0));
    return metric;
}

Metric metric_without_data(const PrivateRun &run, const Settings &settings) {
    Metric metric = make_metric_without_data(run.problem, settings);
    return run.plan.moments ? refine_without_data(run, std::move(metric)) : metric;
}

}  // namespace

Metric choose_metric(const PrivateRun &run, const Settings &settings, privacy::Domains domain,
                     double share, const arma::vec &anchor) {
    const PublicSample *sample = run.problem.public_sample();
    Metric metric = sample == nullptr ? metric_without_data(run, settings)
                    : uses_hessian(settings)
                        ? hessian_metric(run, settings.privacy, domain, share, anchor)
                        : make_gradient_metric(*sample, settings.privacy);
    if (!metric.start.is_finite() || !metric.map.is_finite() || !metric.scale.is_finite())
        throw Error(DPA_E_NUMERICAL, "the metric of the private steps overflows; scale the data");
    return metric;
}

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
