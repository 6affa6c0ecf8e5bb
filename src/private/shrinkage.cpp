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

/** Whether the estimates of the last two quarters differ by no more than noise explains: where they
 *  do, steps are still on their way. */
class Arrival {
  public:
    Arrival(std::uint64_t steps, arma::uword parameters)
        : steps_(steps), quarters_(parameters, 2, arma::fill::zeros) {}

    void see(std::uint64_t step, const arma::vec &estimate, double noise) {
        if (2 * step <= steps_) return;
        const arma::uword quarter = 4 * step <= 3 * steps_ ? 0 : 1;
        ++count_(quarter);
        quarters_.col(quarter) += (estimate - quarters_.col(quarter)) / count_(quarter);
        noise_ = std::max(noise_, noise);
    }

    [[nodiscard]] bool operator()() const {
        constexpr double kDeviations = 4.0;
        if (arma::any(count_ == 0.0)) return true;  // too few to tell
        const arma::vec difference = quarters_.col(1) - quarters_.col(0);
        const double variance = noise_ * (1.0 / count_(0) + 1.0 / count_(1));
        return arma::dot(difference, difference) <=
               variance * chi_squared(static_cast<double>(difference.n_elem), kDeviations);
    }

  private:
    std::uint64_t steps_;
    arma::mat quarters_;
    arma::vec count_ = arma::vec(2, arma::fill::zeros);
    double noise_ = 0.0;  ///< variance of a coordinate of an estimate
};

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
    Arrival arrival(run.plan.steps, v.n_elem);
    for (std::uint64_t step = 1; step <= run.plan.steps; ++step) {
        run.control.report({"private steps", static_cast<std::int64_t>(step - 1),
                            static_cast<std::int64_t>(run.plan.steps)});
        const arma::vec gradient = release_mean(run, rows, metric, v, step);
        const auto t = static_cast<double>(step);
        const double factor = quadratic ? 1.0 : length(gradient, kept.share > kMoved);
        const arma::vec optimum = v - factor * gradient;
        estimate += (optimum - estimate) / t;
        const double noise = std::max(1.0, factor) * noise_deviation * noise_deviation;
        arrival.see(step, optimum, factor * noise);
        kept = rule(estimate - metric.start,
                    {noise / t + sampling_variance / n,
                     sampling_variance / static_cast<double>(sample.rows().rows())});
        v = metric.start + kept.shift;
        if (settings.radius) v = metric.project(v, *settings.radius);
    }
    PrivateFit fit;
    fit.theta = metric.to_theta(v);
    fit.converged = arrival();
    fit.alpha = domain == privacy::kTarget ? 1.0 - kept.share : kept.share;
    return fit;
}

}  // namespace dpadapt
