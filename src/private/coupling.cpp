#include "private/coupling.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt {

namespace {

/** log(a + (exp(x) - 1) b) for x > 0 and b >= 0. */
double log_of_sum(double a, double x, double b) {
    const double first = std::log(a);
    const double second = x + std::log(-std::expm1(-x)) + std::log(b);
    const double larger = std::max(first, second);
    return larger + std::log(std::exp(first - larger) + std::exp(second - larger));
}

}  // namespace

Coupling::Coupling(const Penalty &penalty, const std::array<Part, 2> &parts, double unit)
    : terms_{penalty.prices(), std::max(parts[0].p, parts[1].p)}, parts_(parts), unit_(unit) {
    double square = 0.0;
    for (const Part &part : parts_)
        square = std::hypot(square, part.p * std::sqrt(static_cast<double>(part.rows)));
    start_ = {square, terms_.largest_p};
    const auto *linear = std::get_if<LinearPrices>(&terms_.prices);
    if (linear == nullptr) return;
    for (const Part &part : parts_)
        largest_soft_ +=
            static_cast<double>(part.rows) * soft_share(linear->mu, part.p, terms_.largest_p);
    start_.t = log_sum(*linear, largest_soft_);
}

double Coupling::log_sum(const LinearPrices &prices, double soft) const {
    return log_of_sum(static_cast<double>(parts_[0].rows + parts_[1].rows),
                      prices.mu * terms_.largest_p, soft);
}

WeightScalars Coupling::next(const WeightScalars &scalars, const Sums &sums) const {
    constexpr double kLeast = 1.0 / 64.0;  // of the largest value (docs/defaults.md)
    const double s = std::sqrt(std::max(0.0, sums[0]));
    WeightScalars moved{std::clamp(s, kLeast * start_.s, start_.s), scalars.t};
    if (const auto *linear = std::get_if<LinearPrices>(&terms_.prices))
        moved.t = log_sum(*linear, std::clamp(sums[1], 0.0, largest_soft_));
    else
        moved.t = std::clamp(next_cap(std::get<ConvexPrices>(terms_.prices), scalars.t, sums[1]),
                             kLeast * start_.t, start_.t);
    return moved;
}

/** A step against the derivative by t, with an upper bound of the second derivative: as if every
 *  record that can reach t were held by it. */
double Coupling::next_cap(const ConvexPrices &prices, double t, double excess) const {
    double sum = 0.0;
    for (const Part &part : parts_)
        if (part.p >= t) sum += static_cast<double>(part.rows) * part.p * part.p;
    const double curvature =
        2.0 * prices.kappa_1 * sum / (t * t * t) + prices.kappa_inf / start_.t + 1e-300;
    return t + std::clamp((excess - prices.kappa_inf) / curvature, -0.5 * t, t);
}

}  // namespace dpadapt
