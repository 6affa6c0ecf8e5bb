#include "objective/convex_weights.hpp"

#include <cstring>
#include <numeric>
#include <optional>

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

/** The convex rule where kappa_2 = 0 and all rows of a sample have the same reference weight: the
 *  share is min(most, sqrt(kappa_1/c)), most <= 1. Written so that compilers use vector
 *  instructions. */
struct AlikeRule {
    double kappa_1;  ///< positive
    double most;     ///< positive

    /** Largest cost at which a share is the largest. */
    [[nodiscard]] double bound() const { return kappa_1 / (most * most); }
};

struct AlikeWeights {
    double value = 0.0;    ///< the sum over the rows of x c + kappa_1 (1/x - 1)
    double largest = 0.0;  ///< weight
};

struct AlikeSums {
    double below = 0.0;  ///< sum of bound() - c over rows that are not above it
    double count = 0.0;  ///< of these rows
    /// least cost, infinite without rows
    double least = std::numeric_limits<double>::infinity();
};

constexpr std::size_t kAlike = 8;  // rows side by side
using Alike = double __attribute__((vector_size(kAlike * sizeof(double))));

/** The shares times p, the largest, and their sum of costs. */
DPA_MULTIVERSION
void weigh_all(std::size_t n, const double *cost, double p, double kappa_1, double most,
               double bound, double *q, AlikeWeights *weights) {
    const double root = std::sqrt(kappa_1);
    const double flat = kappa_1 * (1.0 / most - 1.0);
    double value[kAlike] = {};
    double largest[kAlike] = {};
    const auto add = [&](std::size_t i, std::size_t lane) {
        const double c = cost[i];
        const double norm = std::sqrt(c > bound ? c : bound);
        const double free = root / norm;
        const double weight = p * (free < most ? free : most);
        q[i] = weight;
        largest[lane] = largest[lane] < weight ? weight : largest[lane];
        value[lane] += c > bound ? 2.0 * root * norm - kappa_1 : most * c + flat;
    };
    std::size_t i = 0;
    for (; i + kAlike <= n; i += kAlike)
        for (std::size_t lane = 0; lane < kAlike; ++lane) add(i + lane, lane);
    for (; i < n; ++i) add(i, 0);
    weights->value = std::accumulate(value, value + kAlike, 0.0);
    weights->largest = *std::max_element(largest, largest + kAlike);
}

/** Lanes by hand: compilers make branches, which processors mispredict where costs are random. */
DPA_MULTIVERSION
void sum_all(std::size_t n, const double *cost, double bound, AlikeSums *sums) {
    const Alike none{};
    const Alike one = none + 1.0;
    Alike below{};
    Alike count{};
    Alike least = none + std::numeric_limits<double>::infinity();
    std::size_t i = 0;
    for (; i + kAlike <= n; i += kAlike) {
        Alike c;
        std::memcpy(&c, cost + i, sizeof c);
        const Alike left = bound - c;
        below += left > none ? left : none;
        count += left >= none ? one : none;
        least = c < least ? c : least;
    }
    for (std::size_t lane = 0; lane < kAlike; ++lane) {
        sums->below += below[lane];
        sums->count += count[lane];
        sums->least = std::min(sums->least, least[lane]);
    }
    for (; i < n; ++i) {
        const double left = bound - cost[i];
        sums->below += left > 0.0 ? left : 0.0;
        sums->count += left >= 0.0 ? 1.0 : 0.0;
        sums->least = std::min(sums->least, cost[i]);
    }
}

/** Takes from the curvature of each free row what its falling share takes away, down to this part
 *  of it; see WeightedObjective::curvature. */
DPA_MULTIVERSION
void reduce_all(std::size_t n, const double *cost, const double *slope, double bound, double floor,
                double *curvature) {
    for (std::size_t i = 0; i < n; ++i) {
        const double held = floor * curvature[i];
        const double free = curvature[i] - slope[i] * slope[i] / (2.0 * cost[i]);
        const double lower = free > held ? free : held;
        curvature[i] = cost[i] > bound ? lower : curvature[i];
    }
}

/** Writes p times each share. */
AlikeWeights weigh_alike(const AlikeRule &rule, std::span<const double> cost, double p, double *q) {
    AlikeWeights weights;
    by_processor<weigh_all>(cost.size(), cost.data(), p, rule.kappa_1, rule.most, rule.bound(), q,
                            &weights);
    return weights;
}

/** The rule of rows that can be treated at once: the same p, and no s. */
std::optional<AlikeRule> alike(const ConvexPrices &prices, const PricedRows &rows, double t) {
    const AlikeRule rule{prices.kappa_1, std::min(1.0, t / rows.p)};
    const bool possible = rows.relative == nullptr && rows.p > 0.0 && prices.kappa_2 == 0.0 &&
                          prices.kappa_1 > 0.0 && rule.most > 0.0 && std::isfinite(rule.bound());
    return possible ? std::optional(rule) : std::nullopt;
}

void add_alike(const AlikeRule &rule, const PricedRows &rows, double t, Sums &sums) {
    AlikeSums all;
    by_processor<sum_all>(rows.cost.size(), rows.cost.data(), rule.bound(), &all);
    const double share = std::min(rule.most, std::sqrt(rule.kappa_1 / std::max(all.least, 0.0)));
    if (!rows.cost.empty()) sums.largest = std::max(sums.largest, rows.p * share);
    if (t > rows.p) return;
    sums.capped_left += all.below;
    if (t == rows.p) return;
    sums.capped += all.below;
    sums.capped_by_z += all.count * rule.kappa_1 * rows.p * rows.p;
}

Sums sum_rows(const ConvexPrices &prices, std::span<const PricedRows> samples,
              const WeightScalars &scalars) {
    const ConvexRule rule = prices.rule(scalars);
    Sums sums;
    for (const PricedRows &rows : samples) {
        if (rows.p == 0.0) continue;
        if (const auto same = alike(prices, rows, scalars.t)) {
            add_alike(*same, rows, scalars.t, sums);
            continue;
        }
        for (std::size_t i = 0; i < rows.cost.size(); ++i) {
            const double c = rows.cost[i];
            const double p = rows.reference(i);
            if (p == 0.0) continue;
            const double x = rule.share(c, p);
            const double q = x * p;
            sums.largest = std::max(sums.largest, q);
            sums.squares += q * q;
            // s dq/ds = q (kappa_2 q/s) decay, because q falls as the cubic's coefficient 1/s
            // grows.
            sums.squares_slope += 2.0 * q * q * rule.kappa_2_over_s * q * rule.decay(x, c, p);
            const double cap = scalars.t / p;
            if (cap > 1.0 || x < cap) continue;
            const double t = scalars.t;
            const double slope = prices.kappa_1 / (cap * cap) - c - rule.kappa_2_over_s * t;
            sums.capped_left += slope;
            if (cap == 1.0) continue;
            sums.capped += slope;
            sums.capped_by_z += prices.kappa_1 * p * p + 0.5 * rule.kappa_2_over_s * t * t * t;
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

/** Rows apart where the user's weights say how large p is. */
double apart_by_weights(const PricedRows &rows, double kappa_1, double *q) {
    const double root = std::sqrt(kappa_1);
    double value = 0.0;
    for (std::size_t i = 0; i < rows.cost.size(); ++i) {
        const double c = rows.cost[i];
        const double norm = std::sqrt(std::max(c, kappa_1));
        q[i] = rows.reference(i) * (root / norm);
        value += rows.factor(i) * (c > kappa_1 ? 2.0 * root * norm - kappa_1 : c);
    }
    return rows.p * value;
}

/** Different positive reference weights, the least first, where the slope in t jumps. */
std::vector<double> jumps(std::span<const PricedRows> samples) {
    std::vector<double> all;
    for (const PricedRows &rows : samples) {
        if (rows.p == 0.0) continue;
        if (rows.relative == nullptr) all.push_back(rows.p);
        for (std::size_t i = 0; rows.relative != nullptr && i < rows.cost.size(); ++i)
            if (rows.relative[i] > 0.0) all.push_back(rows.reference(i));
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace

double weigh_apart(double kappa_1, const PricedRows &rows, double *q) {
    if (rows.relative != nullptr) return apart_by_weights(rows, kappa_1, q);
    return rows.p * weigh_alike({kappa_1, 1.0}, rows.cost, rows.p, q).value;
}

double largest_reference(std::span<const PricedRows> samples) {
    double largest = 0.0;
    for (const PricedRows &rows : samples) largest = std::max(largest, rows.largest_reference());
    return largest;
}

double reference_norm(std::span<const PricedRows> samples) {
    double squares = 0.0;
    for (const PricedRows &rows : samples) {
        double count = static_cast<double>(rows.cost.size());
        if (rows.relative != nullptr)
            count = std::inner_product(rows.relative, rows.relative + rows.cost.size(),
                                       rows.relative, 0.0);
        squares += rows.p * rows.p * count;
    }
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
    // The slope in t, which rises, jumps where t passes a reference weight: the minimum is right
    // there, or between two of them.
    const std::vector<double> references = jumps(samples);
    if (references.empty()) return scalars;
    std::size_t below = 0;
    std::size_t above = references.size();
    while (below < above) {
        const std::size_t middle = below + (above - below) / 2;
        scalars.t = references[middle];
        const double slope = t_slope(prices, settle_s(prices, samples, scalars));
        if (slope == 0.0) return scalars;
        slope < 0.0 ? below = middle + 1 : above = middle;
    }
    // Root in z = 1/t^2 of slope(z) = kappa_inf - capped(z): increasing t must cost what it brings.
    // In z the sum is piecewise linear when kappa_2 = 0, so Newton's method ends after a few steps.
    const double most = below < references.size() ? references[below] : references.back();
    const double least = below > 0 ? references[below - 1] : 0.0;
    scalars.t = start.t > least ? std::min(start.t, most) : most;
    double low = 0.0;
    double high = least > 0.0 ? 1.0 / (least * least) : std::numeric_limits<double>::infinity();
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

void reduce_convex(const ConvexPrices &prices, const PricedRows &rows, const WeightScalars &scalars,
                   const double *q, const double *slope, double floor, double *curvature) {
    if (const auto same = alike(prices, rows, scalars.t))
        return by_processor<reduce_all>(rows.cost.size(), rows.cost.data(), slope, same->bound(),
                                        floor, curvature);
    const ConvexRule rule = prices.rule(scalars);
    for (std::size_t i = 0; i < rows.cost.size(); ++i) {
        const double p = rows.reference(i);
        const double decay = p > 0.0 ? rule.decay(q[i] / p, rows.cost[i], p) : 0.0;
        if (decay != 0.0)
            curvature[i] =
                std::max(curvature[i] - decay * slope[i] * slope[i], floor * curvature[i]);
    }
}

BestWeights best_convex_weights(const ConvexPrices &prices, std::span<const PricedRows> samples,
                                const WeightScalars &start) {
    BestWeights best;
    best.scalars = prices.coupled() ? best_scalars(prices, samples, start) : start;
    const ConvexRule rule = prices.rule(best.scalars);
    std::size_t count = 0;
    for (const PricedRows &sample : samples) count += sample.cost.size();
    best.q.reserve(count);
    double squares = 0.0;
    double largest = 0.0;
    for (const PricedRows &sample : samples) {
        if (const auto same = alike(prices, sample, best.scalars.t)) {
            const std::size_t begin = best.q.size();
            best.q.resize(begin + sample.cost.size());
            const AlikeWeights weights =
                weigh_alike(*same, sample.cost, sample.p, best.q.data() + begin);
            best.value += sample.p * weights.value;
            largest = std::max(largest, weights.largest);
            continue;
        }
        double sum = 0.0;
        for (std::size_t i = 0; i < sample.cost.size(); ++i) {
            const double c = sample.cost[i];
            const double p = sample.reference(i);
            const double x = p == 0.0 ? 0.0 : rule.share(c, p);
            const double q = p * x;
            best.q.push_back(q);
            if (q == 0.0) continue;
            sum += sample.factor(i) * (x * c + prices.kappa_1 * (1.0 / x - 1.0));
            squares += q * q;
            largest = std::max(largest, q);
        }
        best.value += sample.p * sum;
    }
    best.value += prices.kappa_2 * std::sqrt(squares) + prices.kappa_inf * largest;
    return best;
}

}  // namespace dpadapt
