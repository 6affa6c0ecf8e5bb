#include "private/shrinkage.hpp"

#include <algorithm>

#include "private/anchor.hpp"
#include "private/choose_metric.hpp"
#include "private/gradient_terms.hpp"
#include "private/shift.hpp"
#include "private/step_length.hpp"
#include "records/release.hpp"

namespace dpadapt {
namespace {

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
    const PublicSample &sample = *run.problem.public_sample();
    const arma::vec anchor = choose_anchor(run);
    const privacy::Domains domain = run.problem.domains();
    const Metric metric = choose_metric(run, settings, domain, 1.0, anchor);
    const ShiftRule rule(metric, sample.preprocess().has_intercept(), domain,
                         settings.privacy.shrinkage);
    const records::Reader rows = step_reader(run, metric, domain);
    const auto n = static_cast<double>(rows.rows());
    const auto d = static_cast<double>(metric.start.n_elem);
    const double noise_deviation = metric.clip * run.plan.gradient.sigma() / n;
    const double sampling_variance = metric.term_square / d;  // of one record
    // Of a quadratic loss a step that is too long is undone by the mean.
    const bool quadratic = run.problem.choice().kind == loss::Kind::squared;
    StepLength length(d * noise_deviation * noise_deviation, flattens(run.problem.loss()));
    arma::vec v = metric.start;
    arma::vec estimate(v.n_elem, arma::fill::zeros);
    ShiftRule::Kept kept;
    for (std::uint64_t step = 1; step <= run.plan.steps; ++step) {
        run.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                            static_cast<std::int64_t>(run.plan.steps)});
        const arma::vec gradient = release_mean(run, rows, metric, v, step);
        const auto t = static_cast<double>(step);
        const double factor = quadratic ? 1.0 : length(gradient, kept.share > kMoved);
        estimate += (v - factor * gradient - estimate) / t;
        const double noise = std::max(1.0, factor) * noise_deviation * noise_deviation;
        kept = rule(estimate - metric.start,
                    {noise / t + sampling_variance / n,
                     sampling_variance / static_cast<double>(sample.rows().rows())});
        v = metric.start + kept.shift;
        if (settings.radius) v = metric.project(v, *settings.radius);
    }
    PrivateFit fit;
    fit.theta = metric.to_theta(v);
    fit.alpha = domain == privacy::kTarget ? 1.0 - kept.share : kept.share;
    return fit;
}

}  // namespace dpadapt
