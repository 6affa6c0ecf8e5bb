#include "solver/private_shrinkage.hpp"

#include <cmath>

#include "solver/private_metric.hpp"
#include "solver/private_sum.hpp"

namespace dpadapt {
namespace {

/** Share of the distance to the public solution that noise and sampling cannot explain. */
double kept_share(double distance_square, double variance, double d, double z) {
    const double explained = variance * d * (1.0 + z * std::sqrt(2.0 / d));
    return distance_square > explained ? 1.0 - explained / distance_square : 0.0;
}

}  // namespace

PrivateFit fit_with_shrinkage(const PrivateRun &run, const Settings &settings) {
    const Metric metric = choose_metric(run, settings.privacy, privacy::kTarget, 1.0);
    const PrivateRows rows = run.problem.private_rows(privacy::kTarget, metric.map);
    const auto n = static_cast<double>(rows.rows());
    const std::size_t dimension = rows.dimension();
    const auto d = static_cast<double>(dimension);
    const double noise_deviation = metric.clip * run.plan.gradient.sigma() / n;
    const double sampling_variance = metric.term_square / d / n;
    arma::vec v = metric.start;
    arma::vec estimate(dimension, arma::fill::zeros);
    double kept = 0.0;
    for (std::uint64_t step = 1; step <= run.plan.steps; ++step) {
        run.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                            static_cast<std::int64_t>(run.plan.steps)});
        const auto noise = gaussian_noise(run, random::Purpose::gaussian_w, step, dimension);
        privacy::VectorSum sum(dimension, run.plan.gradient);
        add_terms(
            rows, run.threads, dimension,
            [&](std::size_t i, std::vector<double> &out) {
                clip_term(rows, i, rows.residual(i, v.memptr()) / metric.clip, 1.0, out.data());
            },
            sum);
        const arma::vec gradient =
            metric.clip / n *
            release(run, random::Purpose::gaussian_w, step, sum, noise, rows.rows());

        const auto t = static_cast<double>(step);
        estimate += (v - gradient - estimate) / t;
        const double variance = noise_deviation * noise_deviation / t + sampling_variance;
        const arma::vec distance = estimate - metric.start;
        kept = kept_share(arma::dot(distance, distance), variance, d, settings.privacy.shrinkage);
        v = metric.start + kept * distance;
        if (settings.radius) v = metric.project(v, *settings.radius);
    }
    PrivateFit fit;
    fit.w = metric.map.t() * v;
    fit.alpha = 1.0 - kept;
    return fit;
}

}  // namespace dpadapt
