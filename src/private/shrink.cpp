#include "private/shrink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

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

/** In deviations. A false alarm costs at most d/n of the labels' variance, with n such that n
 *  records without noise know as much as the estimate. Noise exceeds z deviations with probability
 *  at most exp(-z^2/2), so z keeps the root mean square of that cost below kHarm. z >= 0.5: equal
 *  domains are pooled. */
double ShiftRule::threshold(double parameters, const ShiftVariance &variance) const {
    constexpr double kHarm = 0.06;  // docs/defaults.md
    const double harm = parameters * variance.estimate / variance.record;
    const double z = harm > kHarm ? 2.0 * std::sqrt(std::log(harm / kHarm)) : 0.0;
    return std::min(deviations_, std::max(0.5, z));
}

double ShiftRule::factor(double square, double dimension, const ShiftVariance &variance,
                         double deviations) const {
    const double total = variance.anchor + variance.estimate;
    if (estimated_ == privacy::kSource)
        return total > 0.0 ? variance.anchor / std::max(total, square / dimension) : 0.0;
    if (deviations_ == 0.0) return 1.0;
    const double explained = std::min(variance.estimate * chi_squared(dimension, deviations_),
                                      total * chi_squared(dimension, deviations));
    double kept = 0.0;
    if (square > explained) {
        constexpr double kPower = 1.5;  // docs/defaults.md
        const double ratio = explained / square;
        // Noise alone lengthens a difference: no more is kept than it leaves.
        kept =
            std::min(1.0 - std::pow(ratio, kPower), 1.0 - variance.estimate * dimension / square);
    }
    const double pooled = total > 0.0 ? variance.anchor / total : 0.0;
    return kept + (1.0 - kept) * pooled;
}

ShiftRule::Shrunken ShiftRule::operator()(const arma::vec &difference,
                                          const ShiftVariance &variance) const {
    const auto parameters = static_cast<double>(difference.n_elem);
    const double deviations = threshold(parameters, variance);
    if (intercept_.is_empty()) {
        const double share =
            factor(arma::dot(difference, difference), parameters, variance, deviations);
        return {share * difference, share};
    }
    const arma::mat blocks = arma::reshape(difference, difference.n_elem / blocks_, blocks_);
    const arma::mat along = intercept_ * (intercept_.t() * blocks);
    const arma::mat rest = blocks - along;
    const auto scores = static_cast<double>(blocks_);
    const double of_intercept =
        factor(arma::accu(arma::square(along)), scores, variance, deviations);
    const double share =
        factor(arma::accu(arma::square(rest)), parameters - scores, variance, deviations);
    return {arma::vectorise(of_intercept * along + share * rest), share};
}

Evidence::Evidence(arma::vec start, double variance)
    : start_(std::move(start)),
      variance_(variance),
      gradients_(start_.n_elem, arma::fill::zeros),
      ways_(start_.n_elem, arma::fill::zeros) {}

void Evidence::see(const arma::vec &v, const arma::vec &gradient) {
    const arma::vec way = v - start_;
    steps_ += 1.0;
    gradients_ += gradient;
    ways_ += way;
    along_ += arma::dot(gradient, way);
    square_ += arma::dot(way, way);
}

/** @param spread  Variance of w, in units of the noise of a mean of all gradients. */
double Evidence::log_ratio(double h, double spread) const {
    const auto d = static_cast<double>(start_.n_elem);
    const arma::vec sum = gradients_ - h * ways_;
    const double followed = 2.0 * h * along_ - h * h * square_;
    const double mean = spread * arma::dot(sum, sum) / (steps_ * (1.0 + spread));
    return 0.5 * ((followed + mean) / variance_ - d * std::log1p(spread));
}

double Evidence::operator()() const {
    constexpr std::array kHessians{0.0, 0.5, 1.0};
    constexpr std::array kSpreads{0.0, 0.3, 3.0, 30.0, 300.0, 3000.0};
    if (steps_ == 0.0 || !(variance_ > 0.0)) return 0.0;
    std::vector<double> logs;
    for (const double h : kHessians)
        for (const double spread : kSpreads) logs.push_back(log_ratio(h, spread));
    const double most = *std::max_element(logs.begin(), logs.end());
    double sum = 0.0;
    for (const double log : logs) sum += std::exp(log - most);
    const double ratio = most + std::log(sum / static_cast<double>(logs.size()));
    return std::isfinite(ratio) ? ratio / std::log(10.0) : 0.0;
}

}  // namespace dpadapt
