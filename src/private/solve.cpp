#include "private/solve.hpp"

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "objective/penalty.hpp"
#include "paper/convex_descent.hpp"
#include "paper/general_descent.hpp"
#include "private/descent.hpp"
#include "private/own_columns.hpp"
#include "private/shrinkage.hpp"
#include "private/weight_sum.hpp"
#include "problem/defaults.hpp"
#include "solution/describe.hpp"

namespace dpadapt {
namespace {

PrivateFit fit_by_method(const PrivateCall &call, double d, privacy::ReleaseTrace *trace) {
    const Settings &settings = call.settings();
    PrivateRun run{call.problem(), call.plan(), call.key(), settings.threads,
                   call.control(), trace,       {}};
    if (run.plan.weight_sum) run.labelled = release_weight_sum(run);
    if (settings.privacy.method == Method::paper)
        return settings.penalty == PenaltyKind::convex
                   ? paper::fit_convex(run, settings, d, call.facts().bounds)
                   : paper::fit_general(run, settings, d, call.facts().bounds);
    return adapts_alpha(settings) ? fit_with_shrinkage(run, settings)
                                  : fit_with_fixed_alpha(run, settings, d);
}

/** Weights of the public rows at the result: functions of public rows and released values. */
std::vector<double> public_weights(const PrivateCall &call, const PrivateFit &fit, double d) {
    const PublicSample &sample = *call.problem().public_sample();
    const std::size_t rows = sample.rows().rows();
    const bool source = !call.problem().is_private(privacy::kSource);
    const double p = (source ? fit.alpha : 1.0 - fit.alpha) / static_cast<double>(rows);
    std::vector<double> q = sample.rows().shares(source ? fit.alpha : 1.0 - fit.alpha);
    if (adapts_alpha(call.settings()) || keeps_reference(call.settings()) || p == 0.0) return q;
    const WeightRule rule = Penalty(call.problem().hyperparameters()).rule(fit.scalars);
    std::vector<double> losses(rows);
    sample.loss_rows().losses(fit.theta, losses.data());
    for (std::size_t i = 0; i < rows; ++i) q[i] = rule.weight(losses[i] + (source ? d : 0.0), q[i]);
    return q;
}

}  // namespace

Solution solve_private(const PrivateCall &call, std::optional<double> discrepancy,
                       privacy::ReleaseTrace *trace) {
    if (call.own_columns()) {
        const Sample filled = fill_own_columns(call, trace);
        return solve_private(*std::make_unique<PrivateCall>(call, filled), discrepancy, trace);
    }
    if (!discrepancy && call.plan().discrepancy) discrepancy = call.release_discrepancy(trace);
    const double d = discrepancy.value_or(0.0);
    PrivateFit fit = fit_by_method(call, d, trace);
    if (!fit.theta.is_finite())  // a function of released values, like the predictor itself
        throw Error(DPA_E_NUMERICAL, "the private steps overflow; scale the data down");

    Solution solution;
    const PrivateProblem &problem = call.problem();
    describe_predictor(problem.preprocess(), problem.predictor(), problem.parameters(fit.theta),
                       solution);
    solution.source_rows = call.facts().source_rows;
    solution.target_rows = call.facts().target_rows;
    solution.source_weights = std::move(fit.source_weights);
    solution.target_weights = std::move(fit.target_weights);
    if (call.settings().privacy.method == Method::profile &&
        call.problem().public_sample() != nullptr) {
        auto &weights = call.problem().is_private(privacy::kSource) ? solution.target_weights
                                                                    : solution.source_weights;
        weights = public_weights(call, fit, d);
    }
    solution.inference = fit.inference.value_or(Inference{NoInference::not_released});
    solution.objective = std::numeric_limits<double>::quiet_NaN();
    solution.duality_gap = std::numeric_limits<double>::quiet_NaN();
    solution.iterations = static_cast<std::int64_t>(call.plan().steps);
    solution.termination = fit.converged ? Termination::steps : Termination::not_converged;
    Hyperparameters used = call.problem().hyperparameters();
    used.alpha = fit.alpha;
    solution.settings =
        used_settings(used, discrepancy.value_or(std::numeric_limits<double>::quiet_NaN()),
                      call.problem().clipping());
    solution.settings.evidence = fit.evidence;
    const double center = problem.preprocess().label_center();
    const double reach = problem.public_sample() == nullptr
                             ? problem.clipping().label_bound
                             : defaults::kPredictionSpreads * fit.spread;
    solution.settings.prediction_lowest = center - reach;
    solution.settings.prediction_highest = center + reach;
    return solution;
}

}  // namespace dpadapt
