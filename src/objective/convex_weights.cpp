#include "objective/convex_weights.hpp"

#include <numeric>

#include "base/multiversion.hpp"

namespace dpadapt {
namespace {

/** Sums over all rows at given s and t. */
struct Sums {
    double squares = 0.0;        ///< sum q^2
    double squares_slope = 0.0;  ///< s d(sum q^2)/ds
    double capped = 0.0;         ///< sum over q = t < p of kappa_1 p^2/t^2 - c - kappa_2 t/s
    double capped_left = 0.0;    ///< the same over q = t <= p: the limit from smaller t
    double capped_by_z = 0.0;    ///< derivative of capped by z = 1/t^2
    double largest = 0.0;        ///< max q
};

Sums sum_rows(const ConvexPrices &prices, std::span<const PricedRows> samples,
              const WeightScalars &scalars) {
    const ConvexRule rule = prices.rule(scalars);
    Sums sums;
    for (const PricedRows &rows : samples) {
        if (rows.p == 0.0) continue;
        for (const double c : rows.cost) {
            const double x = rule.share(c, rows.p);
            const double q = x * rows.p;
            sums.largest = std::max(sums.largest, q);
            sums.squares += q * q;
            // s dq/ds = q (kappa_2 q/s) decay, because q falls as the cubic's coefficient 1/s
            // grows.
            sums.squares_slope += 2.0 * q * q * rule.kappa_2_over_s * q * rule.decay(x, c, rows.p);
            const double cap = scalars.t / rows.p;
            if (cap > 1.0 || x < cap) continue;
            const double t = scalars.t;
            const double slope = prices.kappa_1 / (cap * cap) - c - rule.kappa_2_over_s * t;
            sums.capped_left += slope;
            if (cap == 1.0) continue;
            sums.capped += slope;
            sums.capped_by_z +=
                prices.kappa_1 * rows.p * rows.p + 0.5 * rule.kappa_2_over_s * t * t * t;
        }
    }
    return sums;
}

/** s = ||q(s, t)|| for fixed t: log ||q|| - log s falls in log s with slope between -1 and -2/3. */
Sums settle_s(const ConvexPrices &prices, std::span<const PricedRows> samples,
              WeightScalars &scalars) {
    constexpr int kMostSteps = 60;
    Sums sums = sum_rows(prices, samples, scalars);
    if (prices.kappa_2 == 0.0) return sums;
    for (int step = 0; step < kMostSteps && sums.squares > 0.0; ++step) {
        const double excess = 0.5 * std::log(sums.squares) - std::log(scalars.s);
        if (std::abs(excess) <= 1e-15) break;
        const double slope = 0.5 * sums.squares_slope / sums.squares - 1.0;
        scalars.s *= std::exp(-excess / slope);
        sums = sum_rows(prices, samples, scalars);
        if (std::abs(excess) <= 1e-9) break;  // the last step was quadratic
    }
    return sums;
}

/** Derivative of the objective by t; where it jumps over 0, that is 0. */
double t_slope(const ConvexPrices &prices, const Sums &sums) {
    const double left = prices.kappa_inf - sums.capped_left;
    const double right = prices.kappa_inf - sums.capped;
    if (left <= 0.0 && right >= 0.0) return 0.0;
    return left > 0.0 ? left : right;
}

/** Written so that compilers use vector instructions: eight sums side by side. */
DPA_MULTIVERSION
double apart(std::size_t n, const double *cost, double p, double kappa_1, double *q) {
    constexpr std::size_t kLanes = 8;
    const double root = std::sqrt(kappa_1);
    double value[kLanes] = {};
    const auto add = [&](std::size_t i, std::size_t lane) {
        const double c = cost[i];
        const double norm = std::sqrt(c > kappa_1 ? c : kappa_1);
        q[i] = p * (root / norm);
        value[lane] += c > kappa_1 ? 2.0 * root * norm - kappa_1 : c;
    };
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) add(i + lane, lane);
    for (; i < n; ++i) add(i, 0);
    return std::accumulate(value, value + kLanes, 0.0);
}

}  // namespace

double weigh_apart(double kappa_1, const PricedRows &rows, double *q) {
    return rows.p * apart(rows.cost.size(), rows.cost.data(), rows.p, kappa_1, q);
}

double largest_reference(std::span<const PricedRows> samples) {
    double largest = 0.0;
    for (const PricedRows &rows : samples) largest = std::max(largest, rows.p);
    return largest;
}

double reference_norm(std::span<const PricedRows> samples) {
    double squares = 0.0;
    for (const PricedRows &rows : samples)
        squares += rows.p * rows.p * static_cast<double>(rows.cost.size());
    return std::sqrt(squares);
}

WeightScalars best_scalars(const ConvexPrices &prices, std::span<const PricedRows> samples,
                           WeightScalars start) {
    constexpr int kMostSteps = 100;
    WeightScalars scalars = start;
    if (!(scalars.s > 0.0)) scalars.s = reference_norm(samples);
    if (prices.kappa_inf == 0.0) {
        scalars.t = std::numeric_limits<double>::infinity();
        settle_s(prices, samples, scalars);
        return scalars;
    }
    // The slope in t jumps where t passes a reference weight: the minimum may be right there.
    for (const PricedRows &rows : samples) {
        if (rows.p == 0.0) continue;
        scalars.t = rows.p;
        if (t_slope(prices, settle_s(prices, samples, scalars)) == 0.0) return scalars;
    }
    // Root in z = 1/t^2 of slope(z) = kappa_inf - capped(z): increasing t must cost what it brings.
    // In z the sum is piecewise linear when kappa_2 = 0, so Newton's method ends after a few steps.
    scalars.t = std::min(start.t, largest_reference(samples));
    double low = 0.0;
    double high = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kMostSteps; ++step) {
        const Sums sums = settle_s(prices, samples, scalars);
        const double z = 1.0 / (scalars.t * scalars.t);
        const double slope = prices.kappa_inf - sums.capped;
        if (sums.capped_by_z ==
            0.0) {  // nothing is capped: the cap can come down to the largest weight
            low = z;
            scalars.t = sums.largest * (1.0 - 1e-9);
            continue;
        }
        (slope > 0.0 ? low : high) = z;
        double next = z + slope / sums.capped_by_z;
        if (!(next > low && next < high)) next = std::isinf(high) ? 2.0 * low : 0.5 * (low + high);
        const double t = 1.0 / std::sqrt(next);
        const bool settled = std::abs(t - scalars.t) <= 1e-15 * scalars.t;
        scalars.t = t;
        if (settled || (std::isfinite(high) && high - low <= 1e-15 * high)) break;
    }
    settle_s(prices, samples, scalars);
    return scalars;
}

ScalarSlopes scalar_slopes(const ConvexPrices &prices, std::span<const PricedRows> samples,
                           const WeightScalars &scalars) {
    const Sums sums = sum_rows(prices, samples, scalars);
    ScalarSlopes slopes;
    if (prices.kappa_2 > 0.0)
        slopes.s = 0.5 * prices.kappa_2 * (1.0 - sums.squares / (scalars.s * scalars.s));
    if (prices.kappa_inf > 0.0) slopes.t = t_slope(prices, sums);
    return slopes;
}

BestWeights best_convex_weights(const ConvexPrices &prices, std::span<const PricedRows> samples,
                                const WeightScalars &start) {
    BestWeights best;
    best.scalars = prices.coupled() ? best_scalars(prices, samples, start) : start;
    const ConvexRule rule = prices.rule(best.scalars);
    double squares = 0.0;
    double largest = 0.0;
    for (const PricedRows &sample : samples) {
        double sum = 0.0;
        for (const double c : sample.cost) {
            const double x = sample.p == 0.0 ? 0.0 : rule.share(c, sample.p);
            const double q = sample.p * x;
            best.q.push_back(q);
            if (q == 0.0) continue;
            sum += x * c + prices.kappa_1 * (1.0 / x - 1.0);
            squares += q * q;
            largest = std::max(largest, q);
        }
        best.value += sample.p * sum;
    }
    best.value += prices.kappa_2 * std::sqrt(squares) + prices.kappa_inf * largest;
    return best;
}

}  // namespace dpadapt
