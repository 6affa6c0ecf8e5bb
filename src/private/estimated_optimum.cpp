#include "private/estimated_optimum.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt {

void EstimatedOptimum::Seen::merge(const Seen &other) {
    const double share = other.count / (count + other.count);
    v += share * (other.v - v);
    move += share * (other.move - move);
    scale += share * (other.scale - scale);
    square += share * (other.square - square);
    place += share * (other.place - place);
    count += other.count;
}

void EstimatedOptimum::add(const arma::vec &v, const arma::vec &gradient, double factor,
                           double scale) {
    constexpr std::size_t kMost = 64;  // so that many steps cost no more than few
    seen_.push_back({v, factor * gradient, scale, factor * factor, ++steps_, 1.0});
    precision_ += 1.0 / (scale * scale);
    if (seen_.size() < kMost) return;
    for (std::size_t k = 0; k < kMost / 2; ++k) {
        Seen pair = std::move(seen_[2 * k]);
        pair.merge(seen_[2 * k + 1]);
        seen_[k] = std::move(pair);
    }
    seen_.resize(kMost / 2);
}

/** c - 1. */
double EstimatedOptimum::late(const arma::vec &shift) const {
    const double variance = static_cast<double>(shift.n_elem) * noise_ / precision_;
    const double square = lateness_.share * arma::dot(shift, shift);
    if (!(square < lateness_.most * variance)) return lateness_.most;
    const double r = square / variance;  // (c - 1)^2/(2c - 1)
    return std::min(lateness_.most, r + std::sqrt(r * (r + 1.0)));
}

void EstimatedOptimum::believe(const arma::vec &shift) {
    const double power = late(shift);
    double total = 0.0;
    double squares = 0.0;
    double lengths = 0.0;
    mean_.zeros(start_.n_elem);
    for (const Seen &seen : seen_) {
        const double distance = arma::norm(seen.v - start_ - shift) / seen.scale;
        const double left = saturation_.has_value() ? (*saturation_)(distance) : 1.0;
        const double square = seen.scale * seen.scale * seen.square / (left * left);
        const double weight = seen.count * std::pow(seen.place / steps_, power) /
                              (saturation_.has_value() ? square : seen.scale * seen.scale);
        total += weight;
        mean_ += weight * (seen.v - seen.move / left);
        squares += weight * weight * square / seen.count;
        lengths += weight * square;
    }
    mean_ /= total;
    variance_ = noise_ * squares / (total * total);
    lengthened_ = lengths / total;
}

}  // namespace dpadapt
