#include "linalg/smooth_minimum.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "linalg/quasi_newton.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt::linalg {
namespace {

constexpr double kRounding = 1e-12;  // values nearer than this, relatively, are taken as equal
// Idle steps before precision is declared exhausted. Where values agree only the gap tells of
// progress, and that of a quasi-Newton method rises and falls over dozens of steps.
constexpr int kPatience = 60;         // docs/defaults.md
constexpr std::size_t kRenewed = 20;  // iterations after which the diagonal of a model is renewed
constexpr double kFaster = 0.1;       // of the gap that a step leaves, if it squares it
constexpr int kNewtonIdle = 12;       // idle steps that an idle step of Newton's method counts as

using Point = SmoothMinimum;

bool is_finite(const Point &point) {
    return std::isfinite(point.value) && point.gradient.is_finite();
}

/** gradient.x + radius ||gradient|| as a sum of terms that are not negative: nothing cancels. */
double frank_wolfe_gap(const arma::vec &x, const arma::vec &gradient, double radius) {
    const double slope = arma::norm(gradient);
    const double norm = arma::norm(x);
    if (slope == 0.0 || norm == 0.0) return radius * slope;
    const arma::vec apart = x / norm + gradient / slope;
    return slope * (std::max(0.0, radius - norm) + 0.5 * norm * arma::dot(apart, apart));
}

/** A function on a ball. */
struct Problem {
    SmoothFunction &function;
    double radius;

    [[nodiscard]] Point evaluate(arma::vec x) const {
        Point point;
        point.x = projected(std::move(x), radius);
        point.gradient.zeros(point.x.n_elem);
        point.value = function.evaluate(point.x, point.gradient);
        point.gap = frank_wolfe_gap(point.x, point.gradient, radius) + function.slack();
        return point;
    }
};

bool lower(double value, double other) { return value < other - kRounding * std::abs(other); }

/** Armijo's condition. Where values agree up to their rounding the slopes tell instead: on a
 *  parabola the condition is the same (Hager and Zhang 2005, "approximate Wolfe"). */
bool decreases(const Point &from, double slope, const Point &trial, double trial_slope,
               double step) {
    constexpr double kSufficient = 1e-4;
    if (!is_finite(trial)) return false;
    if (trial.value <= from.value + kSufficient * step * slope) return true;
    return trial.value <= from.value + kRounding * std::abs(from.value) &&
           trial_slope <= (2.0 * kSufficient - 1.0) * slope;
}

/** A shorter step: the minimum of the cubic with the values and slopes at both ends. */
double shorten(const Point &from, double slope, const Point &trial, double trial_slope,
               double step) {
    const double a = slope + trial_slope + 3.0 * (from.value - trial.value) / step;
    const double b = std::sqrt(a * a - slope * trial_slope);
    const double next = step - step * (trial_slope + b - a) / (trial_slope - slope + 2.0 * b);
    return std::isfinite(next) ? std::clamp(next, 0.1 * step, 0.5 * step) : 0.1 * step;
}

/** Doubles a step as long as the function still falls as steeply as at its beginning. */
Point extend(const Problem &problem, const Point &from, const arma::vec &direction, double slope,
             Point reached) {
    constexpr double kSteep = 0.9;
    for (double step = 2.0; arma::dot(reached.gradient, direction) < kSteep * slope; step *= 2.0) {
        arma::vec x = from.x + step * direction;
        if (arma::norm(x) > problem.radius) break;
        Point trial = problem.evaluate(std::move(x));
        if (!is_finite(trial) || trial.value >= reached.value) break;
        reached = std::move(trial);
    }
    return reached;
}

/** A point on the way to `target` with a sufficiently smaller value, if one is found. */
std::optional<Point> search_segment(const Problem &problem, const Point &from,
                                    const arma::vec &target, bool extensible) {
    constexpr int kMostTrials = 40;
    constexpr int kMostTies = 3;
    const arma::vec direction = target - from.x;
    const double slope = arma::dot(from.gradient, direction);
    double step = 1.0;
    int ties = 0;
    for (int i = 0; slope < 0.0 && i < kMostTrials && ties < kMostTies; ++i) {
        Point trial = problem.evaluate(from.x + step * direction);
        if (arma::approx_equal(trial.x, from.x, "absdiff", 0.0)) break;
        const double trial_slope = arma::dot(trial.gradient, direction);
        if (decreases(from, slope, trial, trial_slope, step)) {
            if (i > 0 || !extensible) return trial;
            return extend(problem, from, direction, slope, std::move(trial));
        }
        if (std::abs(trial.value - from.value) <= kRounding * std::abs(from.value)) ++ties;
        step = shorten(from, slope, trial, trial_slope, step);
    }
    return std::nullopt;
}

/** Whether a point is a better start: a lower value or, where values agree, a smaller gap. */
bool improves(const Point &next, const Point &best) {
    if (lower(next.value, best.value)) return true;
    return !lower(best.value, next.value) && next.gap < 0.999 * best.gap;
}

std::optional<SmoothStop> reason_to_stop(const Point &best, double allowed, int idle, bool last) {
    if (best.gap <= allowed) return SmoothStop::converged;
    if (idle >= kPatience) return SmoothStop::precision;
    if (last) return SmoothStop::iterations;
    return std::nullopt;
}

}  // namespace

SmoothProgress reporting(Control &control, Phase phase, std::size_t limit) {
    return [=, &control](std::size_t iteration, double value, double gap) {
        control.report({phase, iteration, limit, value, gap});
    };
}

SmoothMinimum minimize_smooth(SmoothFunction &function, arma::vec start, const SmoothLimits &limits,
                              const SmoothProgress &progress) {
    const Problem problem{function, limits.radius};
    Point point = problem.evaluate(std::move(start));
    if (!is_finite(point))
        throw Error(DPA_E_NUMERICAL, "the objective or its gradient is not finite at the start");
    const double offset = function.offset();
    const double least = limits.tolerance * std::abs(point.value - offset);
    Point best = point;
    QuasiNewton model(point.x.n_elem);
    bool squares_gap = false;  // as Newton's last steps do
    int idle = 0;
    for (std::size_t iteration = 0;; ++iteration) {
        if (progress) progress(iteration, best.value, best.gap);
        const double allowed = limits.tolerance * std::max(std::abs(best.value - offset), least);
        // One more such step, and rounding on the way does not decide where it ends.
        const bool nearer = squares_gap && best.gap > kRounding * std::abs(best.value);
        const bool last = iteration == limits.iterations;
        if (const auto stop = reason_to_stop(best, allowed, idle, last);
            stop && (last || !nearer)) {
            best.stop = *stop;
            best.iterations = iteration;
            return best;
        }
        arma::mat h = function.curvature(point.x);
        const bool newton = !h.is_empty();
        if (!newton && iteration % kRenewed == 0)
            // Below this a curvature is not felt in the ball.
            model.scale_by(function.diagonal(point.x), allowed / (limits.radius * limits.radius));
        const arma::vec target = newton ? minimize_quadratic_in_ball(std::move(h), point.x,
                                                                     point.gradient, limits.radius)
                                        : model.minimize(point.x, point.gradient, limits.radius);
        auto next = search_segment(problem, point, target, !newton);
        if (!next) {
            if (model.empty()) idle = kPatience;  // the same step would fail again
            model.clear();
            continue;
        }
        if (!newton) model.update(next->x - point.x, next->gradient - point.gradient);
        point = std::move(*next);
        idle = improves(point, best) ? 0 : idle + (newton ? kNewtonIdle : 1);
        squares_gap = newton && idle == 0 && point.gap < kFaster * best.gap;
        if (idle == 0) best = point;
    }
}

double gradient_mapping(const arma::vec &x, const arma::vec &gradient, double radius) {
    return arma::norm(x - projected(x - gradient, radius));
}

}  // namespace dpadapt::linalg
