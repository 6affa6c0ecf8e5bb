#include "private/clip_scale.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt {
namespace {

constexpr double kShort = 0.5;   // share of the gradients
constexpr double kLonger = 1.3;  // the clip, over the length below which these are
// Of the share, by the logarithm of the length: of products of a normal residual and a long row.
constexpr double kSlope = 0.43;
constexpr double kWay = 0.15;       // by which a step may change the logarithm
constexpr double kOther = 0.25;     // its variance where other records told it
constexpr double kUnclipped = 0.9;  // clipped ones are not shorter, whatever is believed
constexpr double kShortest = -6.0;
constexpr double kLongest = 0.7;  // so that it is soon forgotten that gradients were long

}  // namespace

double ClipScale::operator()() const {
    // mutant: clip_grows
    return std::min(1.0, kLonger * std::exp(log_));
}

double ClipScale::below() const { return std::min(kUnclipped, std::exp(log_) / (*this)()); }

void ClipScale::see(double share) {
    const double seen = std::log(below() * (*this)()) + (kShort - share) / kSlope;
    variance_ += kWay * kWay;
    const double gain = variance_ / (variance_ + noise_ / (kSlope * kSlope));
    log_ = std::clamp(log_ + gain * (seen - log_), kShortest, kLongest);
    variance_ *= 1.0 - gain;
}

void ClipScale::begin(const ClipScale &other) {
    log_ = other.log_;
    variance_ = kOther;
}

}  // namespace dpadapt
