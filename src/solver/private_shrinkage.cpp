#include "solver/private_shrinkage.hpp"

#include <cmath>

#include "solver/private_metric.hpp"
#include "solver/private_sum.hpp"
#include "solver/step_length.hpp"

namespace dpadapt {
namespace {

/** Share of the distance to the public solution that noise and sampling cannot explain. */
double kept_share(double distance_square, double variance, double d, double z) {
    const double explained = variance * d * (1.0 + z * std::sqrt(2.0 / d));
    return distance_square > explained ? 1.0 - explained / distance_square : 0.0;
}

}  // namespace

Shrunken shrink_to_public_fit(const PrivateRun &run, const Shrinkage &task) {
    const auto n = static_cast<double>(task.records);
    const std::size_t dimension = task.start.n_elem;
    const auto d = static_cast<double>(dimension);
    const double noise_deviation = task.clip * run.plan.gradient.sigma() / n;
    const double sampling_variance = task.term_square / d / n;
    StepLength length(d * noise_deviation * noise_deviation);
    Shrunken result{task.start};
    arma::vec estimate(dimension, arma::fill::zeros);
    for (std::uint64_t step = 1; step <= run.plan.steps; ++step) {
        run.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                            static_cast<std::int64_t>(run.plan.steps)});
        const auto noise = gaussian_noise(run, random::Purpose::gaussian_w, step, dimension);
        privacy::VectorSum sum(dimension, run.plan.gradient);
        task.add_terms(result.v, sum);
        const arma::vec gradient =
            task.clip / n *
            release(run, random::Purpose::gaussian_w, step, sum, noise, task.records);

        const auto t = static_cast<double>(step);
        const double factor = task.linear ? 1.0 : length(gradient);
        estimate += (result.v - factor * gradient - estimate) / t;
        const double variance = noise_deviation * noise_deviation / t + sampling_variance;
        const arma::vec distance = estimate - task.start;
        result.kept = kept_share(arma::dot(distance, distance), variance, d, task.threshold);
        result.v = task.project(task.start + result.kept * distance);
    }
    return result;
}

PrivateFit fit_with_shrinkage(const PrivateRun &run, const Settings &settings) {
    const Metric metric = choose_metric(run, settings.privacy, privacy::kTarget, 1.0);
    const PrivateRows rows = run.problem.private_rows(privacy::kTarget, metric.map);
    const auto add = [&](const arma::vec &v, privacy::VectorSum &sum) {
        add_terms(
            rows, run.threads, rows.dimension(),
            [&](std::size_t i, std::vector<double> &out) {
                clip_term(rows, i, rows.residual(i, v.memptr()) / metric.clip, 1.0, out.data());
            },
            sum);
    };
    const auto project = [&](const arma::vec &v) {
        return settings.radius ? metric.project(v, *settings.radius) : v;
    };
    const Shrunken result =
        shrink_to_public_fit(run, {rows.rows(), metric.start, metric.clip, metric.term_square,
                                   settings.privacy.shrinkage, true, add, project});
    PrivateFit fit;
    fit.w = metric.map.t() * result.v;
    fit.alpha = 1.0 - result.kept;
    return fit;
}

}  // namespace dpadapt
