#include "objective/alike_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/multiversion.hpp"

namespace dpadapt {
namespace {

constexpr std::size_t kAlike = 8;  // rows side by side

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

DPA_MULTIVERSION
void sum_all(std::size_t n, const double *cost, double bound, AlikeSums *sums) {
    double below[kAlike] = {};
    double count[kAlike] = {};
    double least[kAlike];
    for (double &value : least) value = std::numeric_limits<double>::infinity();
    const auto add = [&](std::size_t i, std::size_t lane) {
        const double c = cost[i];
        const double left = bound - c;
        below[lane] += left > 0.0 ? left : 0.0;
        count[lane] += left >= 0.0 ? 1.0 : 0.0;
        least[lane] = c < least[lane] ? c : least[lane];
    };
    std::size_t i = 0;
    for (; i + kAlike <= n; i += kAlike)
        for (std::size_t lane = 0; lane < kAlike; ++lane) add(i + lane, lane);
    for (; i < n; ++i) add(i, 0);
    sums->below = std::accumulate(below, below + kAlike, 0.0);
    sums->count = std::accumulate(count, count + kAlike, 0.0);
    sums->least = *std::min_element(least, least + kAlike);
}

}  // namespace

AlikeWeights weigh_alike(const AlikeRule &rule, std::span<const double> cost, double p, double *q) {
    AlikeWeights weights;
    weigh_all(cost.size(), cost.data(), p, rule.kappa_1, rule.most, rule.bound(), q, &weights);
    return weights;
}

AlikeSums sum_alike(const AlikeRule &rule, std::span<const double> cost) {
    AlikeSums sums;
    sum_all(cost.size(), cost.data(), rule.bound(), &sums);
    return sums;
}

}  // namespace dpadapt
