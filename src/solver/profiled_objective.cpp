#include "solver/profiled_objective.hpp"

#include <cmath>
#include <numeric>

#include "linalg/kernels.hpp"

namespace dpadapt {
namespace {

/** Rows of a block when the weights are not coupled: phi = p c up to kappa_1, then p (2
 *  sqrt(kappa_1 c) - kappa_1). Residuals come in, a = 2 q r goes out, the sum of phi is
 *  returned. */
DPA_MULTIVERSION
double uncoupled_rows(std::size_t n, const double *residual, double p, double d, double kappa_1,
                      double *a) {
    constexpr std::size_t kLanes = 8;  // sums side by side, so that the loop can be vectorised
    const double root = std::sqrt(kappa_1);
    double value[kLanes] = {};
    const auto add = [&](std::size_t i, std::size_t lane) {
        const double c = residual[i] * residual[i] + d;
        const double norm = std::sqrt(c > kappa_1 ? c : kappa_1);
        a[i] = 2.0 * p * (root / norm) * residual[i];
        value[lane] += c > kappa_1 ? 2.0 * root * norm - kappa_1 : c;
    };
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) add(i + lane, lane);
    for (; i < n; ++i) add(i, 0);
    return p * std::accumulate(value, value + kLanes, 0.0);
}

double share_value(double x, double c, double kappa_1) { return x * c + kappa_1 * (1.0 / x - 1.0); }

}  // namespace

ProfiledObjective::ProfiledObjective(const PreparedProblem &problem, double discrepancy)
    : problem_(problem),
      prices_{problem.hyperparameters().kappa_1, problem.hyperparameters().kappa_2,
              problem.hyperparameters().kappa_inf},
      discrepancy_(discrepancy),
      radius_(problem.hyperparameters().radius),
      source_weight_(problem.hyperparameters().alpha /
                     static_cast<double>(problem.source().rows())),
      target_weight_((1.0 - problem.hyperparameters().alpha) /
                     static_cast<double>(problem.target().rows())),
      source_rows_(problem.source().rows()),
      target_rows_(problem.target().rows()) {}

std::array<CostRows, 2> ProfiledObjective::costs(const std::vector<double> &residual) const {
    const std::span<const double> all(residual);
    return {CostRows{all.first(source_rows_), source_weight_, discrepancy_},
            CostRows{all.last(target_rows_), target_weight_, 0.0}};
}

ProfiledObjective::Point ProfiledObjective::evaluate(arma::vec w,
                                                     const WeightScalars &start) const {
    std::vector<double> residual(rows());
    if (prices_.coupled()) {
        problem_.source().residuals(w, residual.data());
        problem_.target().residuals(w, residual.data() + source_rows_);
        return evaluate(std::move(w), std::move(residual), start);
    }
    const auto pass = [&](const PreparedSample &sample, double p, double d, double *out) {
        return sample.fused(w, out,
                            [&](std::size_t begin, std::size_t end, const double *r, double *a) {
                                return uncoupled_rows(end - begin, r, p, d, prices_.kappa_1, a);
                            });
    };
    const auto source = pass(problem_.source(), source_weight_, discrepancy_, residual.data());
    const auto target =
        pass(problem_.target(), target_weight_, 0.0, residual.data() + source_rows_);
    Point point{std::move(w),
                std::move(residual),
                start,
                source.value + target.value,
                source.gradient + target.gradient,
                0.0};
    point.lower =
        point.value - arma::dot(point.gradient, point.w) - radius_ * arma::norm(point.gradient);
    return point;
}

ProfiledObjective::Point ProfiledObjective::evaluate(arma::vec w, std::vector<double> residual,
                                                     const WeightScalars &start) const {
    Point point{std::move(w), std::move(residual), start, 0.0, {}, 0.0};
    const auto samples = costs(point.residual);
    if (prices_.coupled()) point.scalars = best_scalars(prices_, samples, start);
    point.value = value_at(samples, point.scalars);

    const WeightRule rule = prices_.rule(point.scalars);
    std::vector<double> a(rows());
    std::size_t i = 0;
    for (const CostRows &sample : samples)
        for (const double r : sample.residual)
            a[i++] =
                sample.p == 0.0 ? 0.0 : 2.0 * sample.p * rule.share(r * r + sample.d, sample.p) * r;
    point.gradient =
        problem_.source().gradient(a.data()) + problem_.target().gradient(a.data() + source_rows_);
    finish(point);
    return point;
}

/** The Frank-Wolfe bound in (w, s, t): w in the ball, s in [0, ||p||], t in [0, max p], where the
 *  minimum lies. The slopes in s and t are zero up to the accuracy of their search. */
void ProfiledObjective::finish(Point &point) const {
    point.lower =
        point.value - arma::dot(point.gradient, point.w) - radius_ * arma::norm(point.gradient);
    if (!prices_.coupled()) return;
    const ScalarSlopes slopes = scalar_slopes(prices_, costs(point.residual), point.scalars);
    const double norm = std::hypot(source_weight_ * std::sqrt(static_cast<double>(source_rows_)),
                                   target_weight_ * std::sqrt(static_cast<double>(target_rows_)));
    point.lower -= std::abs(slopes.s) * norm;
    point.lower -= std::abs(slopes.t) * std::max(source_weight_, target_weight_);
}

/** F at the weights of the rule, with the norms of those very weights. */
double ProfiledObjective::value_at(std::span<const CostRows> samples,
                                   const WeightScalars &scalars) const {
    const WeightRule rule = prices_.rule(scalars);
    double value = 0.0;
    double squares = 0.0;
    double largest = 0.0;
    for (const CostRows &sample : samples) {
        if (sample.p == 0.0) continue;
        double sum = 0.0;
        for (const double r : sample.residual) {
            const double c = r * r + sample.d;
            const double x = rule.share(c, sample.p);
            sum += share_value(x, c, prices_.kappa_1);
            squares += sample.p * x * sample.p * x;
            largest = std::max(largest, sample.p * x);
        }
        value += sample.p * sum;
    }
    return value + prices_.kappa_2 * std::sqrt(squares) + prices_.kappa_inf * largest;
}

ProfiledObjective::LineValue ProfiledObjective::along(const Point &from,
                                                      const std::vector<double> &direction,
                                                      double step) const {
    std::vector<double> residual(rows());
    for (std::size_t i = 0; i < residual.size(); ++i)
        residual[i] = from.residual[i] + step * direction[i];
    const auto samples = costs(residual);
    const WeightScalars scalars =
        prices_.coupled() ? best_scalars(prices_, samples, from.scalars) : from.scalars;
    const WeightRule rule = prices_.rule(scalars);
    LineValue line{value_at(samples, scalars), 0.0};
    std::size_t i = 0;
    for (const CostRows &sample : samples)
        for (const double r : sample.residual) {
            const double slope = direction[i++];
            if (sample.p != 0.0)
                line.slope += 2.0 * sample.p * rule.share(r * r + sample.d, sample.p) * r * slope;
        }
    return line;
}

arma::mat ProfiledObjective::curvature(const Point &point, double floor) const {
    const WeightRule rule = prices_.rule(point.scalars);
    std::vector<double> h(rows());
    std::size_t i = 0;
    for (const CostRows &sample : costs(point.residual))
        for (const double r : sample.residual) {
            const double c = r * r + sample.d;
            const double x = sample.p == 0.0 ? 0.0 : rule.share(c, sample.p);
            const double left = x == 0.0 ? 0.0 : 1.0 - 2.0 * r * r * rule.decay(x, c, sample.p);
            h[i++] = 2.0 * sample.p * x * std::max(left, floor);
        }
    arma::mat sum = problem_.target().gram(h.data() + source_rows_);
    if (source_weight_ != 0.0) sum += problem_.source().gram(h.data());
    return sum;
}

double ProfiledObjective::value_without_loss() const {
    const std::vector<double> none(rows(), 0.0);
    const auto samples = costs(none);
    return value_at(samples,
                    prices_.coupled() ? best_scalars(prices_, samples, {}) : WeightScalars{});
}

std::vector<double> ProfiledObjective::weights(const Point &point) const {
    const WeightRule rule = prices_.rule(point.scalars);
    std::vector<double> q;
    q.reserve(rows());
    for (const CostRows &sample : costs(point.residual))
        for (const double r : sample.residual)
            q.push_back(sample.p == 0.0 ? 0.0 : sample.p * rule.share(r * r + sample.d, sample.p));
    return q;
}

}  // namespace dpadapt
