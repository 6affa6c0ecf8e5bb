#include "private/recent_mean.hpp"

#include <cmath>

#include "private/shift.hpp"

namespace dpadapt {

void RecentMean::Part::merge(const Part &other) {
    const double share = other.count / (count + other.count);
    mean += share * (other.mean - mean);
    variance = (1.0 - share) * (1.0 - share) * variance + share * share * other.variance;
    count += other.count;
    moved += other.moved;
    moved_variance += other.moved_variance;
}

RecentMean::Part RecentMean::merged(std::size_t begin, std::size_t end) const {
    Part sum = parts_[begin];
    for (std::size_t k = begin + 1; k < end; ++k) sum.merge(parts_[k]);
    return sum;
}

/** Of three parts of one size the older two become one. */
void RecentMean::merge_equal() {
    for (std::size_t k = parts_.size(); k >= 3; --k) {
        if (parts_[k - 3].count != parts_[k - 1].count) continue;
        parts_[k - 3].merge(parts_[k - 2]);
        parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(k) - 2);
    }
}

/** Whether the parts from `kept` on lead further from the start than the older ones; then these
 *  have nothing to say in that direction, or at all if noise in all directions is small beside
 *  it. */
bool RecentMean::forgets(std::size_t kept) {
    constexpr double kFar = 2.0;
    constexpr double kClear = 2.0;
    const Part late = merged(kept, parts_.size());
    const Part early = merged(0, kept);
    const auto d = static_cast<double>(start_.n_elem);
    const arma::vec away = early.mean - start_;
    // Where the older ones are noise themselves, chance would choose the direction and the moment.
    if (!(arma::dot(away, away) > kClear * early.variance * chi_squared(d, deviations_)))
        return false;
    const arma::vec direction = arma::normalise(away);
    const double along = arma::dot(late.moved, direction);
    const double noise = std::sqrt(late.moved_variance);
    if (!(along > deviations_ * noise)) return false;
    if (along > kFar * std::sqrt(d) * noise) {
        parts_.erase(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(kept));
        kept = 0;
    }
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        Part &part = parts_[k];
        part.moved.zeros();
        part.moved_variance = 0.0;
        if (k >= kept) continue;
        part.mean += arma::dot(late.mean - part.mean, direction) * direction;
        part.variance += (late.variance - early.variance) / d;
    }
    return true;
}

void RecentMean::add(const arma::vec &estimate, double variance) {
    Part latest{estimate, variance, 1.0, arma::vec(estimate.n_elem, arma::fill::zeros), 0.0};
    if (!parts_.empty()) {
        latest.moved = estimate - whole_.mean;
        latest.moved_variance = variance + whole_.variance;
    }
    parts_.push_back(std::move(latest));
    for (std::size_t kept = parts_.size() - 1; kept > 0 && !forgets(kept); --kept) {
    }
    whole_ = merged(0, parts_.size());
    merge_equal();
}

}  // namespace dpadapt
