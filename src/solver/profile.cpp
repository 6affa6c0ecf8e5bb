#include "solver/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "linalg/quadratic_model.hpp"
#include "linalg/trust_region.hpp"
#include "problem/defaults.hpp"
#include "solver/describe.hpp"
#include "solver/profiled_objective.hpp"

namespace dpadapt {
namespace {

using Point = ProfiledObjective::Point;

/** A step in (0, 1] that nearly minimizes g on the segment: bisection on the sign of the slope,
 *  sped up by secant steps. The residuals along the segment are known, so the data are not read. */
double search_segment(const ProfiledObjective &objective, const Point &from,
                      const std::vector<double> &direction) {
    constexpr int kMostSteps = 40;
    double low = 0.0;
    double high = 1.0;
    double slope_low = objective.along(from, direction, low).slope;
    double slope_high = objective.along(from, direction, high).slope;
    if (slope_high <= 0.0) return 1.0;
    const double flat = 1e-3 * std::abs(slope_low);
    for (int step = 0; step < kMostSteps; ++step) {
        double middle = low - slope_low * (high - low) / (slope_high - slope_low);
        const double margin = 0.05 * (high - low);
        middle = std::clamp(middle, low + margin, high - margin);
        const double slope = objective.along(from, direction, middle).slope;
        if (std::abs(slope) <= flat) return middle;
        (slope < 0.0 ? low : high) = middle;
        (slope < 0.0 ? slope_low : slope_high) = slope;
    }
    return 0.5 * (low + high);
}

/** The best point on the segment from `from` to w; the full step costs one reading of the data. */
Point take_step(const ProfiledObjective &objective, const Point &from, arma::vec w, bool &full) {
    constexpr double kSufficient = 1e-4;
    constexpr double kOvershoot = 0.25;
    const arma::vec step_taken = w - from.w;
    const double slope = arma::dot(from.gradient, step_taken);
    Point trial = objective.evaluate(std::move(w), from.scalars);
    full = trial.value <= from.value + kSufficient * slope &&
           arma::dot(trial.gradient, step_taken) <= -kOvershoot * slope;
    if (full) return trial;
    std::vector<double> direction(trial.residual);
    for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= from.residual[i];
    const double step = search_segment(objective, from, direction);
    if (step == 1.0) return trial;
    return objective.evaluate(from.w + step * step_taken, from.scalars);
}

/** Whether to go on from the new point. Near the minimum the values of two points agree up to the
 *  rounding of their sums; then the gaps, whose gradients are far from rounding, tell which one is
 *  nearer. */
bool improves(const Point &next, const Point &point) {
    constexpr double kRounding = 1e-12;
    if (next.value > point.value + kRounding * std::abs(point.value)) return false;
    if (next.value < point.value - kRounding * std::abs(point.value)) return true;
    return next.value - next.lower < point.value - point.lower;
}

arma::vec start_predictor(const PreparedProblem &problem, double radius) {
    const arma::vec &fit = problem.source_fit();
    const double norm = arma::norm(fit);
    return norm > radius ? arma::vec(fit * (radius / norm)) : fit;
}

/** kappa_1 = 0: weights cost nothing to drop, so the minimum is 0, with all of them 0, at every w.
 *  The predictor returned is the fit with the reference weights p. */
arma::vec reference_fit(const PreparedProblem &problem) {
    const double alpha = problem.hyperparameters().alpha;
    const Moments target = problem.target().moments();
    const Moments &source = problem.source_moments();
    return linalg::minimize_in_ball(
               linalg::decompose(2.0 * (alpha * source.second + (1.0 - alpha) * target.second)),
               -2.0 * (alpha * source.cross + (1.0 - alpha) * target.cross),
               problem.hyperparameters().radius)
        .x;
}

Solution describe(const PreparedProblem &problem, const arma::vec &w, double discrepancy) {
    Solution solution;
    describe_predictor(problem.preprocess(), w, solution);
    solution.source_rows = problem.source().rows();
    solution.target_rows = problem.target().rows();
    solution.settings = used_settings(problem.hyperparameters(), discrepancy, problem.clipping());
    return solution;
}

}  // namespace

Solution solve_profile(const PreparedProblem &problem, double discrepancy, const Settings &settings,
                       Control &control) {
    if (problem.hyperparameters().kappa_1 == 0.0) {
        Solution solution = describe(problem, reference_fit(problem), discrepancy);
        solution.source_weights.assign(problem.source().rows(), 0.0);
        solution.target_weights.assign(problem.target().rows(), 0.0);
        solution.termination = Termination::degenerate;
        return solution;
    }
    constexpr double kProgress = 1e-12;
    constexpr double kRounding = 2.0 * std::numeric_limits<double>::epsilon();
    constexpr int kPatience = 5;  // steps without progress before precision is declared exhausted
    const ProfiledObjective objective(problem, discrepancy);
    const std::size_t limit = settings.iterations.value_or(defaults::kConvexIterations);
    Point point = objective.evaluate(start_predictor(problem, objective.radius()), {});
    const double constant = objective.value_without_loss();
    double lower = -std::numeric_limits<double>::infinity();
    double floor = 0.1;
    int idle = 0;
    std::int64_t iteration = 0;
    auto termination = Termination::iterations;
    for (;; ++iteration) {
        if (!std::isfinite(point.value) || !point.gradient.is_finite())
            throw Error(DPA_E_NUMERICAL, "the objective overflows; scale the data down");
        lower = std::max(lower, point.lower);
        const double gap = point.value - lower + kRounding * std::abs(point.value);
        control.report({"solve", iteration, static_cast<std::int64_t>(limit), point.value, gap});
        if (gap <= settings.tolerance * (point.value - constant)) {
            termination = Termination::converged;
            break;
        }
        if (idle >= kPatience) {
            termination = Termination::precision;
            break;
        }
        if (iteration == static_cast<std::int64_t>(limit)) break;

        bool full = false;
        arma::vec w = linalg::minimize_quadratic_in_ball(objective.curvature(point, floor), point.w,
                                                         point.gradient, objective.radius());
        Point next = take_step(objective, point, std::move(w), full);
        floor = full ? 0.1 * floor : std::min(1.0, 10.0 * floor);
        lower = std::max(lower, next.lower);
        const bool lower_value = next.value < point.value - kProgress * std::abs(point.value);
        if (improves(next, point)) point = std::move(next);
        idle =
            lower_value || point.value - lower < 0.999 * (gap - kRounding * std::abs(point.value))
                ? 0
                : idle + 1;
    }
    Solution solution = describe(problem, point.w, discrepancy);
    const std::vector<double> q = objective.weights(point);
    const auto split = q.begin() + static_cast<std::ptrdiff_t>(objective.source_rows());
    solution.source_weights.assign(q.begin(), split);
    solution.target_weights.assign(split, q.end());
    solution.objective = point.value;
    solution.duality_gap = point.value - lower + kRounding * std::abs(point.value);
    solution.iterations = iteration;
    solution.termination = termination;
    return solution;
}

}  // namespace dpadapt
