#include "private/shift.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt {

double chi_squared(double d, double z) {
    const double part = 2.0 / (9.0 * d);
    return d * std::pow(1.0 - part + z * std::sqrt(part), 3.0);
}

ShiftRule::ShiftRule(const Metric &metric, bool intercept, privacy::Domains estimated,
                     double deviations)
    : estimated_(estimated), blocks_(metric.blocks), deviations_(deviations) {
    const arma::uword d = metric.inverse.n_cols;
    if (metric.maps_rows && intercept && d > 1)
        intercept_ = arma::normalise(metric.inverse.col(d - 1));
}

/** In deviations. A false belief costs at most d/n of the labels' variance, n records without noise
 *  knowing as much as the estimate, and z deviations are exceeded without a shift with probability
 *  exp(-z^2/2) at most: z keeps the root mean square of that cost below kHarm. Half a deviation at
 *  least, so that equal domains are pooled. */
double ShiftRule::threshold(double parameters, const ShiftVariance &variance) const {
    constexpr double kHarm = 0.06;
    const double harm = parameters * variance.estimate / variance.record;
    const double z = harm > kHarm ? 2.0 * std::sqrt(std::log(harm / kHarm)) : 0.0;
    return std::min(deviations_, std::max(0.5, z));
}

double ShiftRule::kept(double square, double dimension, const ShiftVariance &variance,
                       double deviations) const {
    const double total = variance.anchor + variance.estimate;
    if (estimated_ == privacy::kSource)
        return total > 0.0 ? variance.anchor / std::max(total, square / dimension) : 0.0;
    if (deviations_ == 0.0) return 1.0;
    const double explained = std::min(variance.estimate * chi_squared(dimension, deviations_),
                                      total * chi_squared(dimension, deviations));
    double believed = 0.0;
    if (square > explained) {
        constexpr double kPower = 1.5;
        const double doubt = explained / square;
        // What is beyond doubt is believed as far as noise has not made it longer.
        believed =
            std::min(1.0 - std::pow(doubt, kPower), 1.0 - variance.estimate * dimension / square);
    }
    const double pooled = total > 0.0 ? variance.anchor / total : 0.0;
    return believed + (1.0 - believed) * pooled;
}

ShiftRule::Kept ShiftRule::operator()(const arma::vec &difference,
                                      const ShiftVariance &variance) const {
    const auto parameters = static_cast<double>(difference.n_elem);
    const double deviations = threshold(parameters, variance);
    if (intercept_.is_empty()) {
        const double share =
            kept(arma::dot(difference, difference), parameters, variance, deviations);
        return {share * difference, share};
    }
    const arma::mat blocks = arma::reshape(difference, difference.n_elem / blocks_, blocks_);
    const arma::mat along = intercept_ * (intercept_.t() * blocks);
    const arma::mat rest = blocks - along;
    const auto scores = static_cast<double>(blocks_);
    const double of_intercept = kept(arma::accu(arma::square(along)), scores, variance, deviations);
    const double share =
        kept(arma::accu(arma::square(rest)), parameters - scores, variance, deviations);
    return {arma::vectorise(of_intercept * along + share * rest), share};
}

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
    constexpr double kLeast = 1.0 / 64.0;  // of the largest value
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
