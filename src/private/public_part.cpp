#include "private/public_part.hpp"

#include "objective/weighted_objective.hpp"
#include "problem/defaults.hpp"

namespace dpadapt {

PrivateFit fit_public_part(const PrivateRun &run, const Settings &settings, double discrepancy,
                           Control &control) {
    const PublicSample &sample = *run.problem.public_sample();
    const Hyperparameters &hyper = run.problem.hyperparameters();
    const bool source = !run.problem.is_private(privacy::kSource);
    if ((source ? hyper.alpha : 1.0 - hyper.alpha) == 0.0) {
        PrivateFit fit;
        fit.theta = sample.fit();
        fit.alpha = hyper.alpha;
        return fit;
    }
    WeightedObjective objective(sample, hyper, 1.0 / static_cast<double>(sample.rows().rows()),
                                source ? discrepancy : 0.0,
                                run.problem.rows(source ? privacy::kTarget : privacy::kSource));
    const linalg::SmoothMinimum minimum = linalg::minimize_smooth(
        objective, sample.fit(),
        {hyper.radius, settings.tolerance, settings.iterations.value_or(defaults::kIterations)},
        [&](std::size_t iteration, double value, double gap) {
            control.report({"public fit", static_cast<std::int64_t>(iteration), 0, value, gap});
        });
    arma::vec gradient;
    (void)objective.evaluate(minimum.x, gradient);  // its scalars are wanted
    PrivateFit fit;
    fit.theta = minimum.x;
    fit.alpha = hyper.alpha;
    fit.scalars = objective.scalars();
    return fit;
}

}  // namespace dpadapt
