#include "discrepancy/general_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "discrepancy/estimate.hpp"
#include "linalg/smooth_minimum.hpp"

namespace dpadapt {

namespace {

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
linalg::SmoothMinimum ascend(GeneralDifference &difference, const DiscrepancyBall &ball,
                             const arma::vec &theta, double sign, Control &control) {
    constexpr double kTolerance = 1e-10;
    constexpr std::size_t kMostSteps = 300;
    Descent descent(difference, ball.center, sign);
    return linalg::minimize_smooth(
        descent, theta - ball.center, {ball.radius, kTolerance, kMostSteps},
        [&](std::size_t step, double value, double gap) {
            control.report({"discrepancy", step, kMostSteps, -value, gap});
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
arma::vec search(GeneralDifference &difference, const DiscrepancyBall &ball, const arma::vec &fit,
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

/** The least of the bounds by the losses themselves, by their slopes, and by their smoothness from
 *  the centre on. */
double upper_bound(GeneralDifference &difference, const DiscrepancyBall &ball,
                   const loss::Bounds &bounds, DiscrepancySide side) {
    arma::vec slope;
    const double signed_center = difference.at(ball.center, slope);
    const double center = side == DiscrepancySide::both ? std::abs(signed_center) : signed_center;
    const double r = ball.radius;
    if (r == 0.0) return center;
    const double by_slope = center + r * bounds.lipschitz;
    const double by_smoothness = center + r * (arma::norm(slope) + 0.5 * r * bounds.smoothness);
    double least = std::numeric_limits<double>::infinity();
    for (const double bound : {bounds.value, by_slope, by_smoothness})
        least = std::fmin(least, bound);  // which passes over what is not a number
    return least;
}

constexpr double kUnit = std::numeric_limits<double>::epsilon();

}  // namespace

Discrepancy estimate_general_discrepancy(const PreparedProblem &problem, const Settings &settings,
                                         Control &control) {
    const loss::Choice &choice = problem.public_sample().choice();
    const arma::vec &fit = problem.source_fit();
    const DiscrepancyBall ball{
        center_of_parameters(problem.preprocess(), choice, fit.n_elem, fit, settings),
        settings.discrepancy_radius.value_or(problem.hyperparameters().radius)};
    GeneralDifference difference(problem);
    const arma::vec theta = search(difference, ball, fit, settings.discrepancy_side, control);
    const loss::Bounds bounds = difference.bounds(arma::norm(ball.center) + ball.radius);
    const double rounding = difference.rounding(theta, bounds);
    const double value = counted(settings.discrepancy_side, difference.at(theta));
    const double bound = upper_bound(difference, ball, bounds, settings.discrepancy_side);
    Discrepancy result = rounded(value, bound, rounding);
    if (loss::is_linear(choice) && loss::scores(choice) == 1)
        result.maximizer = problem.preprocess().to_user(theta);
    return result;
}

double MeanLoss::at(const arma::vec &theta) {
    rows_.losses(theta, losses_.data());
    return rows_.sample().mean(losses_);
}

double MeanLoss::at(const arma::vec &theta, arma::vec &gradient) {
    gradient = rows_.gradient(theta, weight_.data(), losses_.data());
    return rows_.sample().mean(losses_);
}

loss::Bounds MeanLoss::bounds(double reach) const {
    constexpr std::size_t kBlock = 256;
    const std::vector<double> labels = rows_.sample().labels();
    loss::Bounds means;
    arma::mat columns;
    for (std::size_t begin = 0; begin < labels.size(); begin += kBlock) {
        const std::size_t end = std::min(begin + kBlock, labels.size());
        rows_.sample().fill(begin, end, columns);
        for (std::size_t i = begin; i < end; ++i) {
            const double norm = arma::norm(columns.col(i - begin));
            const loss::Bounds own = rows_.loss().bounds({reach, norm, std::abs(labels[i])});
            means.value += weight_[i] * own.value;
            means.lipschitz += weight_[i] * own.lipschitz;
            means.smoothness += weight_[i] * own.smoothness;
        }
    }
    return means;
}

GeneralDifference::GeneralDifference(const PreparedProblem &problem)
    : target_(problem.target_loss_rows()),
      source_(problem.public_sample().loss_rows()),
      convex_(loss::is_convex(problem.public_sample().choice())),
      terms_(64.0 +
             static_cast<double>(std::max(problem.source().rows(), problem.target().rows()))) {}

double GeneralDifference::at(const arma::vec &theta, arma::vec &gradient) {
    arma::vec of_source;
    const double target = target_.at(theta, gradient);
    const double source = source_.at(theta, of_source);
    gradient -= of_source;
    return target - source;
}

/** Losses are in [0, B], and Hessians of convex losses between 0 and a bound: so are their means,
 *  and the distance of two of these is at most the larger bound. */
loss::Bounds GeneralDifference::bounds(double reach) const {
    const loss::Bounds target = target_.bounds(reach);
    const loss::Bounds source = source_.bounds(reach);
    const double smoothness = convex_ ? std::max(target.smoothness, source.smoothness)
                                      : target.smoothness + source.smoothness;
    const double widened = 1.0 + 2.0 * kUnit * terms_;
    return {widened * std::max(target.value, source.value),
            widened * (target.lipschitz + source.lipschitz), widened * smoothness};
}

/** Sums of that many losses, and losses of scores that are sums themselves. */
double GeneralDifference::rounding(const arma::vec &theta, const loss::Bounds &bounds) {
    const double losses = std::abs(target_.at(theta)) + std::abs(source_.at(theta));
    const double scores = arma::norm(theta) * bounds.lipschitz;
    return kUnit * (terms_ * losses +
                    static_cast<double>(theta.n_elem + 8) * (std::isfinite(scores) ? scores : 0.0));
}

namespace {

constexpr std::size_t kRandom = 32;

/** Uniform on [0, 1), the same numbers everywhere. */
double uniform(std::mt19937_64 &engine) { return static_cast<double>(engine() >> 11) * 0x1p-53; }

/** A point of the unit ball; its direction is that of a point of the cube. */
arma::vec random_point(arma::uword dimension, std::mt19937_64 &engine) {
    arma::vec x(dimension);
    x.imbue([&] { return 2.0 * uniform(engine) - 1.0; });
    const double norm = arma::norm(x);
    if (norm > 0.0) x *= uniform(engine) / norm;
    return x;
}

}  // namespace

arma::vec center_of_parameters(const Preprocess &preprocess, const loss::Choice &choice,
                               std::size_t parameters, const arma::vec &fit,
                               const Settings &settings) {
    if (settings.center_kind == CenterKind::zero) return arma::vec(parameters, arma::fill::zeros);
    if (settings.center_kind == CenterKind::given &&
        !(loss::is_linear(choice) && loss::scores(choice) == 1))
        throw Error(DPA_E_OPTION,
                    "discrepancy_center must be zero or source for this loss: its parameters are "
                    "not the coefficients of one linear score");
    return center_of_ball(preprocess, fit, settings);
}

std::vector<arma::vec> public_predictors(const arma::vec &center, double radius,
                                         const arma::vec &fit) {
    std::vector<arma::vec> points;
    const auto add = [&](arma::vec offset) {
        arma::vec point = center + linalg::projected(std::move(offset), radius);
        const bool known = std::any_of(points.begin(), points.end(), [&](const arma::vec &other) {
            return arma::approx_equal(point, other, "absdiff", 0.0);
        });
        if (!known) points.push_back(std::move(point));
    };
    add(arma::vec(center.n_elem, arma::fill::zeros));
    for (const double length : {0.25, 0.5, 1.0, 2.0})
        for (const double sign : {1.0, -1.0}) add(sign * length * fit - center);
    std::mt19937_64 engine;  // by the standard always with the same seed
    for (std::size_t k = 0; k < kRandom; ++k) add(radius * random_point(center.n_elem, engine));
    return points;
}

}  // namespace dpadapt
