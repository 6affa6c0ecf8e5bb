#include "discrepancy/general_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "discrepancy/general_difference.hpp"
#include "discrepancy/public_predictors.hpp"
#include "linalg/smooth_minimum.hpp"

namespace dpadapt {
namespace {

struct Ball {
    arma::vec center;
    double radius;
};

/** -sign times the difference at center + x. */
class Descent : public linalg::SmoothFunction {
  public:
    Descent(GeneralDifference &difference, const arma::vec &center, double sign)
        : difference_(difference), center_(center), sign_(sign) {}

    double evaluate(const arma::vec &x, arma::vec &gradient) override {
        const double value = difference_.at(center_ + x, gradient);
        gradient *= -sign_;
        return -sign_ * value;
    }

  private:
    GeneralDifference &difference_;
    const arma::vec &center_;
    double sign_;
};

/** Ascent of the absolute value from theta, where the difference has that sign. */
linalg::SmoothMinimum ascend(GeneralDifference &difference, const Ball &ball,
                             const arma::vec &theta, double sign, Control &control) {
    constexpr double kTolerance = 1e-10;
    constexpr std::size_t kMostSteps = 300;
    Descent descent(difference, ball.center, sign);
    return linalg::minimize_smooth(
        descent, theta - ball.center, {ball.radius, kTolerance, kMostSteps},
        [&](std::size_t step, double value, double gap) {
            control.report({"discrepancy", static_cast<std::int64_t>(step),
                            static_cast<std::int64_t>(kMostSteps), -value, gap});
        });
}

/** The points with the largest values of sign times the difference. */
std::vector<arma::vec> best_starts(const std::vector<arma::vec> &points,
                                   const std::vector<double> &values, double sign) {
    constexpr std::size_t kStarts = 4;
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return sign * values[a] > sign * values[b];
    });
    std::vector<arma::vec> starts;
    for (std::size_t k = 0; k < std::min(kStarts, order.size()); ++k)
        starts.push_back(points[order[k]]);
    return starts;
}

/** Where the difference, or its absolute value, is largest, as far as ascents find it. */
arma::vec search(GeneralDifference &difference, const Ball &ball, const arma::vec &fit,
                 DiscrepancySide side, Control &control) {
    const std::vector<arma::vec> points = public_predictors(ball.center, ball.radius, fit);
    std::vector<double> values;
    for (const arma::vec &theta : points) {
        control.report({"discrepancy"});
        values.push_back(difference.at(theta));
        if (!std::isfinite(values.back()))
            throw Error(DPA_E_NUMERICAL, "the losses of the samples overflow");
    }
    linalg::SmoothMinimum best;
    best.value = std::numeric_limits<double>::infinity();
    for (const double sign : {1.0, -1.0}) {
        if (sign < 0.0 && side == DiscrepancySide::target_above) break;
        for (const arma::vec &start : best_starts(points, values, sign)) {
            auto found = ascend(difference, ball, start, sign, control);
            if (found.value < best.value) best = std::move(found);
        }
    }
    return ball.center + best.x;
}

/** The least of the bounds by the losses themselves, by their slopes, and by their bends from the
 *  centre on. */
double upper_bound(GeneralDifference &difference, const Ball &ball, const loss::Bounds &bounds,
                   DiscrepancySide side) {
    arma::vec slope;
    const double signed_center = difference.at(ball.center, slope);
    const double center = side == DiscrepancySide::both ? std::abs(signed_center) : signed_center;
    const double r = ball.radius;
    if (r == 0.0) return center;
    const double by_slope = center + r * bounds.lipschitz;
    const double by_bend = center + r * (arma::norm(slope) + 0.5 * r * bounds.smoothness);
    double least = std::numeric_limits<double>::infinity();
    for (const double bound : {bounds.value, by_slope, by_bend})
        least = std::fmin(least, bound);  // which passes over what is not a number
    return least;
}

}  // namespace

Discrepancy estimate_general_discrepancy(const PreparedProblem &problem, const Settings &settings,
                                         Control &control) {
    const loss::Choice &choice = problem.public_sample().choice();
    const arma::vec &fit = problem.source_fit();
    const Ball ball{center_of_parameters(problem.preprocess(), choice, fit.n_elem, fit, settings),
                    settings.discrepancy_radius.value_or(problem.hyperparameters().radius)};
    GeneralDifference difference(problem);
    const arma::vec theta = search(difference, ball, fit, settings.discrepancy_side, control);
    const loss::Bounds bounds = difference.bounds(arma::norm(ball.center) + ball.radius);
    const double rounding = difference.rounding(theta, bounds);
    Discrepancy result;
    const double at_theta = difference.at(theta);
    result.value = settings.discrepancy_side == DiscrepancySide::both ? std::abs(at_theta)
                                                                      : std::max(0.0, at_theta);
    result.lower = std::max(0.0, result.value - rounding);
    result.upper =
        std::max(result.value, upper_bound(difference, ball, bounds, settings.discrepancy_side)) +
        rounding;
    if (loss::is_linear(choice) && loss::scores(choice) == 1)
        result.maximizer = problem.preprocess().to_user(theta);
    return result;
}

double general_discrepancy_bound(const PreparedProblem &problem, double radius) {
    const Ball ball{arma::vec(problem.source_fit().n_elem, arma::fill::zeros), radius};
    GeneralDifference difference(problem);
    const loss::Bounds bounds = difference.bounds(radius);
    return upper_bound(difference, ball, bounds, DiscrepancySide::both) +
           difference.rounding(ball.center, bounds);
}

}  // namespace dpadapt
