#include "objective/linear_weights.hpp"

#include "base/multiversion.hpp"
#include "objective/convex_weights.hpp"

namespace dpadapt {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/** A rising function of x and its derivative. */
struct Point {
    double value;
    double slope;
};

/** Its root: Newton's method in exp(x), in which our functions are linear wherever no row enters or
 *  leaves a bound, held within a bracket. */
double find_root(double x, double low, double high, const auto &function) {
    constexpr int kMostSteps = 200;
    constexpr int kNewtonSteps = 12;  // usually enough; then every other step halves the bracket
    constexpr double kTolerance = 1e-14;
    constexpr double kUlps = 4.0 * std::numeric_limits<double>::epsilon();
    for (int step = 0; step < kMostSteps; ++step) {
        const auto [value, slope] = function(x);
        if (std::abs(value) <= kTolerance) break;
        (value < 0.0 ? low : high) = x;
        const double middle = high == kInfinity ? x + 1.0 : low + 0.5 * (high - low);
        double next = x + std::log1p(-value / slope);
        if (!(next > low && next < high) || (step > kNewtonSteps && step % 2 != 0)) next = middle;
        if (std::abs(next - x) <= kUlps * std::max(1.0, std::abs(x))) break;
        x = next;
    }
    return x;
}

struct ClampedSum {
    double all = 0.0;
    double free = 0.0;  ///< of the values strictly within the bounds
};

/** In eight sums side by side. */
DPA_MULTIVERSION
ClampedSum clamped_sum(const double *values, std::size_t n, double low, double high) {
    constexpr std::size_t kLanes = 8;
    double all[kLanes] = {};
    double free[kLanes] = {};
    const std::size_t whole = n - n % kLanes;
    for (std::size_t i = 0; i < n; i += kLanes) {
        const std::size_t lanes = i < whole ? kLanes : n - whole;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double v = values[i + lane];
            const double held = v < low ? low : v > high ? high : v;
            all[lane] += held;
            free[lane] += held == v ? v : 0.0;
        }
    }
    ClampedSum sum;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sum.all += all[lane];
        sum.free += free[lane];
    }
    return sum;
}

/** The search for the two scalars: as 1/s^2 and 1/S, by their logarithms. */
class Scalars {
  public:
    Scalars(const LinearPrices &prices, std::span<const PricedRows> samples)
        : prices_(prices), samples_(samples) {
        for (const PricedRows &sample : samples) rows_ += sample.cost.size();
        highest_ = -std::log(static_cast<double>(rows_));
        lowest_ = highest_ - prices.mu * largest_reference(samples);
    }

    [[nodiscard]] std::size_t rows() const { return rows_; }

    /** Whether all weights are 0: the slopes at 0, where a weight's first pull is lambda_inf/rows,
     *  do not exceed the price of the norm. */
    [[nodiscard]] bool nothing_pays() const {
        const double least = prices_.lambda_1 - prices_.lambda_inf / static_cast<double>(rows_);
        double square = 0.0;
        for (const PricedRows &sample : samples_)
            for (std::size_t i = 0; i < sample.cost.size(); ++i) {
                if (sample.reference(i) == 0.0) continue;
                const double gain = std::max(0.0, least - sample.cost[i]);
                square += gain * gain;
            }
        return square <= prices_.lambda_2 * prices_.lambda_2;
    }

    [[nodiscard]] WeightScalars find() {
        const double start = -2.0 * std::log(reference_norm(samples_));
        if (prices_.lambda_2 == 0.0)
            return WeightScalars{1.0, prices_.lambda_inf > 0.0 ? -soft_only() : 0.0};
        double x = 0.0;  // log 1/s^2
        double y = highest_;
        if (prices_.lambda_inf == 0.0) {
            x = norm_only(start);
        } else {
            x = find_root(start, start, kInfinity, [&](double at) { return norm_slope(at, y); });
        }
        return {std::exp(-0.5 * x), -y};
    }

  private:
    /** gains(gain) of every row. */
    [[nodiscard]] std::vector<double> gains(const auto &gains) const {
        std::vector<double> all;
        all.reserve(rows_);
        for (const PricedRows &sample : samples_)
            for (const double c : sample.cost) all.push_back(gains(prices_.lambda_1 - c));
        return all;
    }

    /** log 1/s^2 for lambda_inf = 0: the root of sum min(gain/lambda_2, p/s)^2 = 1. */
    [[nodiscard]] double norm_only(double start) const {
        const std::vector<double> squares = gains([&](double gain) {
            const double share = std::max(0.0, gain / prices_.lambda_2);
            return share * share;
        });
        return find_root(start, start, kInfinity, [&](double x) {
            return sum_rows(squares, 0.0, [&](double p) { return std::exp(x) * p * p; });
        });
    }

    /** log 1/S for lambda_2 = 0: the root of sum exp(mu q)/S = 1, where exp(mu q) is gain
     *  S/lambda_inf or at a bound. */
    [[nodiscard]] double soft_only() const {
        const std::vector<double> shares =
            gains([&](double gain) { return gain / prices_.lambda_inf; });
        return find_root(highest_, lowest_, highest_, [&](double y) {
            return sum_rows(shares, std::exp(y),
                            [&](double p) { return std::exp(y + prices_.mu * p); });
        });
    }

    /** sum - 1 of values clamped to bounds that grow like exp(x), so that what is held there is the
     *  slope. */
    [[nodiscard]] Point sum_rows(const std::vector<double> &values, double low,
                                 const auto &high) const {
        ClampedSum total;
        std::size_t begin = 0;
        for (const PricedRows &sample : samples_) {
            // One call for all rows, or one for each where the user's weights differ.
            const std::size_t step = sample.relative == nullptr ? sample.cost.size() : 1;
            for (std::size_t i = 0; i < sample.cost.size(); i += step) {
                const ClampedSum sum = by_processor<clamped_sum>(values.data() + begin + i, step,
                                                                 low, high(sample.reference(i)));
                total.all += sum.all;
                total.free += sum.free;
            }
            begin += sample.cost.size();
        }
        return {total.all - 1.0, total.all - total.free};
    }

    /** With both prices: sums over the rows at given scalars. e = exp(mu q)/S, and h = lambda_2/s +
     *  lambda_inf mu e is how fast the root's equation rises with q; a row that is free moves by dq
     *  = (-q dk + lambda_inf e dlog S)/h with k = lambda_2/s. */
    struct Sums {
        double squares = 0.0;  ///< q^2
        double pulls = 0.0;    ///< e
        double pulls_slope =
            0.0;  ///< minus the derivative of pulls by log S: e, and e k/h of free rows
        double free_squares = 0.0;  ///< q^2/h of free rows
        double free_pulls = 0.0;    ///< e q/h of free rows
    };

    [[nodiscard]] Sums sum_both(const LinearRule &rule, double y) const {
        Sums sums;
        const double k = rule.lambda_2_over_s;
        for (const PricedRows &sample : samples_) {
            const double e_least = std::exp(y);
            const double least = prices_.lambda_inf * e_least;
            double p = sample.p;
            double e_most = std::exp(y + rule.mu * p);
            double most = prices_.lambda_inf * e_most + k * p;
            for (std::size_t i = 0; i < sample.cost.size(); ++i) {
                const double c = sample.cost[i];
                if (sample.relative != nullptr) {
                    p = sample.reference(i);
                    e_most = std::exp(y + rule.mu * p);
                    most = prices_.lambda_inf * e_most + k * p;
                }
                const double gain = prices_.lambda_1 - c;
                if (!(gain > least && gain < most)) {  // most rows: held at 0 or p
                    const bool high = gain >= most;
                    const double e = high ? e_most : e_least;
                    sums.squares += high ? p * p : 0.0;
                    sums.pulls += e;
                    sums.pulls_slope += e;
                    continue;
                }
                const double q = rule.weight(c, p);
                const double e = std::exp(y + rule.mu * q);
                sums.squares += q * q;
                sums.pulls += e;
                const double h = k + prices_.lambda_inf * rule.mu * e;
                sums.pulls_slope += e * (k / h);
                sums.free_squares += q * q / h;
                sums.free_pulls += e * q / h;
            }
        }
        return sums;
    }

    /** ||q||^2/s^2 - 1 at log 1/s^2 = x, with S at its best, which y follows. */
    [[nodiscard]] Point norm_slope(double x, double &y) const {
        const double s = std::exp(-0.5 * x);
        Sums sums;
        y = find_root(y, lowest_, highest_, [&](double at) {
            sums = sum_both(prices_.rule({s, -at}), at);
            return Point{sums.pulls - 1.0, sums.pulls_slope};
        });
        const double k = prices_.lambda_2 / s;
        const double fall = sums.free_squares + prices_.lambda_inf * prices_.mu * sums.free_pulls *
                                                    (sums.free_pulls / sums.pulls_slope);
        return {sums.squares / (s * s) - 1.0, (sums.squares - k * fall) / (s * s)};
    }

    LinearPrices prices_;
    std::span<const PricedRows> samples_;
    std::size_t rows_ = 0;
    double highest_ = 0.0;  ///< log 1/S at q = 0
    double lowest_ = 0.0;   ///< at least as low as at q = p
};

/** The objective at q. */
double value_at(const LinearPrices &prices, std::span<const PricedRows> samples,
                const std::vector<double> &q) {
    const double largest = *std::max_element(q.begin(), q.end());
    double value = prices.lambda_1;
    double square = 0.0;
    double sum = 0.0;
    std::size_t i = 0;
    for (const PricedRows &sample : samples) {
        for (const double c : sample.cost) {
            value += q[i] * (c - prices.lambda_1);
            square += q[i] * q[i];
            if (prices.lambda_inf > 0.0) sum += std::exp(prices.mu * (q[i] - largest));
            ++i;
        }
    }
    value += prices.lambda_2 * std::sqrt(square);
    if (prices.lambda_inf > 0.0) value += prices.lambda_inf * (largest + std::log(sum) / prices.mu);
    return value;
}

}  // namespace

BestWeights best_linear_weights(const LinearPrices &prices, std::span<const PricedRows> samples) {
    Scalars search(prices, samples);
    BestWeights best;
    if (search.nothing_pays()) {
        best.q.assign(search.rows(), 0.0);
        best.scalars.t = std::log(static_cast<double>(search.rows()));
    } else {
        best.scalars = search.find();
        const LinearRule rule = prices.rule(best.scalars);
        best.q.reserve(search.rows());
        for (const PricedRows &sample : samples)
            for (std::size_t i = 0; i < sample.cost.size(); ++i)
                best.q.push_back(rule.weight(sample.cost[i], sample.reference(i)));
    }
    best.value = value_at(prices, samples, best.q);
    return best;
}

}  // namespace dpadapt
