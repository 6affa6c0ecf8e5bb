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

double ShiftRule::kept(double square, double dimension, const ShiftVariance &variance) const {
    const double total = variance.anchor + variance.estimate;
    if (estimated_ == privacy::kSource)
        return total > 0.0 ? variance.anchor / std::max(total, square / dimension) : 0.0;
    if (deviations_ == 0.0) return 1.0;
    const double explained = variance.estimate * chi_squared(dimension, deviations_);
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
    if (intercept_.is_empty()) {
        const double share = kept(arma::dot(difference, difference), parameters, variance);
        return {share * difference, share};
    }
    const arma::mat blocks = arma::reshape(difference, difference.n_elem / blocks_, blocks_);
    const arma::mat along = intercept_ * (intercept_.t() * blocks);
    const arma::mat rest = blocks - along;
    const auto scores = static_cast<double>(blocks_);
    const double of_intercept = kept(arma::accu(arma::square(along)), scores, variance);
    const double share = kept(arma::accu(arma::square(rest)), parameters - scores, variance);
    return {arma::vectorise(of_intercept * along + share * rest), share};
}

}  // namespace dpadapt
