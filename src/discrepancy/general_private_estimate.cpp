#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "discrepancy/general_estimate.hpp"
#include "discrepancy/private_estimate.hpp"
#include "records/reader.hpp"

namespace dpadapt {
namespace {

/** A loss in [0, bound]; one that is not finite counts as 0. */
double clipped(double loss, double bound) {
    return std::isfinite(loss) ? std::clamp(loss, 0.0, bound) : 0.0;
}

void report(Control &control, std::size_t done, std::size_t all) {
    control.report({"discrepancy", done, all});
}

/** of(losses) for the losses of the public rows at each predictor. */
std::vector<double> at_each(const std::vector<arma::vec> &predictors, const LossRows &rows,
                            Control &control, const auto &of) {
    std::vector<double> numbers;
    std::vector<double> losses(rows.rows());
    for (const arma::vec &theta : predictors) {
        report(control, numbers.size(), predictors.size());
        rows.losses(theta, losses.data());
        numbers.push_back(of(losses));
    }
    return numbers;
}

double largest_quantile(const std::vector<arma::vec> &predictors, const LossRows &rows,
                        Control &control) {
    constexpr double kLevel = 0.99;  // docs/defaults.md
    const std::vector<double> quantiles =
        at_each(predictors, rows, control, [&](std::vector<double> losses) {
            for (double &loss : losses) loss = clipped(loss, std::numeric_limits<double>::max());
            return rows.sample().quantile(std::move(losses), kLevel);
        });
    return *std::max_element(quantiles.begin(), quantiles.end());
}

std::vector<double> clipped_means(const std::vector<arma::vec> &predictors, const LossRows &rows,
                                  double bound, Control &control) {
    return at_each(predictors, rows, control, [&](std::vector<double> losses) {
        for (double &loss : losses) loss = clipped(loss, bound) / bound;
        return bound * std::min(1.0, rows.sample().mean(losses));
    });
}

std::vector<double> private_means(const PrivateProblem &problem, privacy::Domains domain,
                                  const FiniteDiscrepancy &discrepancy, Control &control) {
    const std::size_t all = discrepancy.predictors.size();
    const records::LossTask task{problem.choice(), discrepancy.predictors, discrepancy.bound};
    const sums::Tally sums = records::Reader(problem, domain).sum(task, [&](std::size_t done) {
        report(control, done, all);
    });
    std::vector<double> means;
    for (const std::int64_t sum : sums.sums())
        means.push_back(std::ldexp(static_cast<double>(sum), -sums::Tally::kBits) /
                        static_cast<double>(sums.records()) * discrepancy.bound);
    return means;
}

}  // namespace

FiniteDiscrepancy::FiniteDiscrepancy(const PrivateProblem &problem, const Settings &settings,
                                     Control &control)
    : side(settings.discrepancy_side) {
    for (const privacy::Domains domain : {privacy::kSource, privacy::kTarget})
        if (problem.is_private(domain)) sums::Tally::check(problem.rows(domain));
    const PublicSample *sample = problem.public_sample();
    const arma::vec start = problem.start(settings.loss.start_seed);
    const arma::vec center =
        center_of_parameters(problem.preprocess(), problem.choice(), start.n_elem,
                             sample != nullptr ? sample->fit() : arma::vec(), settings);
    const double radius = settings.discrepancy_radius.value_or(problem.hyperparameters().radius);
    predictors = public_predictors(center, radius, start);
    bound = problem.loss()
                .bounds({arma::norm(center) + radius, problem.record_radius(),
                         problem.clipping().label_bound})
                .value;
    if (sample != nullptr)
        bound = std::fmin(bound, largest_quantile(predictors, sample->loss_rows(), control));
    if (!(bound > 0.0 && std::isfinite(bound)))
        throw Error(DPA_E_OPTION,
                    "no positive finite bound of private losses is known, which their discrepancy "
                    "needs: set feature_radius and, where labels are numbers, label_bound, or "
                    "declare a loss_bound with the loss function");
    if (sample != nullptr)
        public_means = clipped_means(predictors, sample->loss_rows(), bound, control);
}

double release_general_discrepancy(const PrivateProblem &problem,
                                   const FiniteDiscrepancy &discrepancy, const privacy::Plan &plan,
                                   const random::Key &key, Control &control,
                                   privacy::ReleaseTrace *trace) {
    const DiscrepancyRelease release(*plan.discrepancy, plan.discrepancy_noise, key);
    const auto means = [&](privacy::Domains domain) {
        return problem.is_private(domain) ? private_means(problem, domain, discrepancy, control)
                                          : discrepancy.public_means;
    };
    const std::vector<double> target = means(privacy::kTarget);
    const std::vector<double> source = means(privacy::kSource);
    double value = 0.0;
    for (std::size_t k = 0; k < target.size(); ++k)
        value = std::max(value, counted(discrepancy.side, target[k] - source[k]));
    return release(value, discrepancy.bound, trace);
}

}  // namespace dpadapt
