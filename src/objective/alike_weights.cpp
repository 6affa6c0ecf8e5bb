#include "objective/alike_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/multiversion.hpp"

namespace dpadapt {
namespace {

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

/** Lanes by hand: compilers make branches of it, which costs at random go through. */
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

}  // namespace

AlikeWeights weigh_alike(const AlikeRule &rule, std::span<const double> cost, double p, double *q) {
    AlikeWeights weights;
    by_processor<weigh_all>(cost.size(), cost.data(), p, rule.kappa_1, rule.most, rule.bound(), q,
                            &weights);
    return weights;
}

void reduce_alike(const AlikeRule &rule, double floor, std::span<const double> cost,
                  const double *slope, double *curvature) {
    by_processor<reduce_all>(cost.size(), cost.data(), slope, rule.bound(), floor, curvature);
}

AlikeSums sum_alike(const AlikeRule &rule, std::span<const double> cost) {
    AlikeSums sums;
    by_processor<sum_all>(cost.size(), cost.data(), rule.bound(), &sums);
    return sums;
}

}  // namespace dpadapt
