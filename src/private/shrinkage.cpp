#include "private/shrinkage.hpp"

#include <algorithm>
#include <cmath>

#include "private/choose_metric.hpp"
#include "private/gradient_terms.hpp"
#include "private/step_length.hpp"
#include "records/release.hpp"

namespace dpadapt {
namespace {

/** Share of the distance to the public solution that noise and sampling cannot explain; z standard
 *  deviations are asked for. */
double kept_share(double distance_square, double variance, double d, double z) {
    const double explained = variance * d * (1.0 + z * std::sqrt(2.0 / d));
    return distance_square > explained ? 1.0 - explained / distance_square : 0.0;
}

/** Mean of the clipped gradients at v. */
arma::vec release_mean(const PrivateRun &run, const records::Reader &rows, const Metric &metric,
                       const arma::vec &v, std::uint64_t step) {
    const auto noise = gaussian_noise(run, random::Purpose::gaussian_w, step, v.n_elem);
    const privacy::VectorSum sum =
        rows.sum(gradient_task(run, metric, v, 1.0, records::WholeWeights{}));
    return metric.clip / static_cast<double>(rows.rows()) *
           release(run, random::Purpose::gaussian_w, step, sum, noise, rows.rows());
}

}  // namespace

PrivateFit fit_with_shrinkage(const PrivateRun &run, const Settings &settings) {
    constexpr double kMoved = 0.75;
    const Metric metric = choose_metric(run, settings, privacy::kTarget, 1.0);
    const records::Reader rows = step_reader(run, metric, privacy::kTarget);
    const auto n = static_cast<double>(rows.rows());
    const auto d = static_cast<double>(metric.start.n_elem);
    const double noise_deviation = metric.clip * run.plan.gradient.sigma() / n;
    const double sampling_variance = metric.term_square / d / n;
    // Of a quadratic loss a step that is too long is undone by the mean.
    const bool quadratic = run.problem.choice().kind == loss::Kind::squared;
    StepLength length(d * noise_deviation * noise_deviation, flattens(run.problem.loss()));
    arma::vec v = metric.start;
    arma::vec estimate(v.n_elem, arma::fill::zeros);
    double kept = 0.0;
    for (std::uint64_t step = 1; step <= run.plan.steps; ++step) {
        run.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                            static_cast<std::int64_t>(run.plan.steps)});
        const arma::vec gradient = release_mean(run, rows, metric, v, step);
        const auto t = static_cast<double>(step);
        const double factor = quadratic ? 1.0 : length(gradient, kept > kMoved);
        estimate += (v - factor * gradient - estimate) / t;
        const double variance =
            std::max(1.0, factor) * noise_deviation * noise_deviation / t + sampling_variance;
        const arma::vec distance = estimate - metric.start;
        kept = kept_share(arma::dot(distance, distance), variance, d, settings.privacy.shrinkage);
        v = metric.start + kept * distance;
        if (settings.radius) v = metric.project(v, *settings.radius);
    }
    PrivateFit fit;
    fit.theta = metric.to_theta(v);
    fit.alpha = 1.0 - kept;
    return fit;
}

}  // namespace dpadapt
