#include "evaluate/beyond.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpadapt::evaluate {
namespace {

constexpr double kSmallestScale = 1e-3;
constexpr double kLargestScale = 1e4;  // what has a larger one tells nothing

/** What a distribution has above the bound: the share, and the mean of what is beyond it. */
struct Beyond {
    double share;
    double mean;
};

/** The probability that a normal deviate is more than a. */
double above(double a) { return 0.5 * std::erfc(a * M_SQRT1_2); }

double density(double a) { return std::exp(-0.5 * a * a) * 0.5 * M_2_SQRTPI * M_SQRT1_2; }

/** With t = 2 tan(v) Student's density is 3/4 cos(v)^3, and all of this follows. */
Beyond beyond_of_student(double scale, bool squares) {
    const double a = 1.0 / scale;
    const double sine = a / std::hypot(2.0, a);
    const double rest = 4.0 / (4.0 + a * a) / (1.0 + sine);  // 1 - sine
    const double share = 0.5 * rest * rest * (2.0 + sine);
    const double cosine = 2.0 / std::hypot(2.0, a);
    const double mean = squares ? 2.0 * scale * scale * rest * (1.0 + sine + sine * sine)
                                : scale * cosine * cosine * cosine;
    return {share, mean - share};
}

/** Losses of one scale, in units of the bound: that of residuals, or the mean of losses. */
Beyond beyond(Tail tail, double scale) {
    const double a = 1.0 / scale;
    const double share = 2.0 * above(a);
    switch (tail) {
        case Tail::squares:
            return {share, 2.0 * scale * scale * (a * density(a) + above(a)) - share};
        case Tail::absolutes:
            return {share, 2.0 * scale * density(a) - share};
        case Tail::heavy_squares:
            return beyond_of_student(scale, true);
        case Tail::heavy_absolutes:
            return beyond_of_student(scale, false);
        case Tail::exponential:
            break;
    }
    return {std::exp(-a), scale * std::exp(-a)};
}

double mean_of(Tail tail, double scale) {
    switch (tail) {
        case Tail::squares:
            return scale * scale;
        case Tail::absolutes:
            return scale * std::sqrt(2.0 / M_PI);
        case Tail::heavy_squares:
            return 2.0 * scale * scale;
        case Tail::heavy_absolutes:
        case Tail::exponential:
            break;
    }
    return scale;
}

/** Where an increasing function of the scale has that value; the end of the range if nowhere. */
template <class Function>
double scale_where(const Function &function, double value) {
    double low = std::log(kSmallestScale);
    double high = std::log(kLargestScale);
    for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (function(std::exp(middle)) < value ? low : high) = middle;
    }
    return std::exp(high);
}

}  // namespace

double hidden_by_clips(const Interval &clipped_mean, const Interval &clipped_share, Tail tail) {
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    const double by_mean =
        scale_where([&](double scale) { return mean_of(tail, scale) - beyond(tail, scale).mean; },
                    clipped_mean.upper);
    const double by_share =
        scale_where([&](double scale) { return beyond(tail, scale).share; }, clipped_share.upper);
    const double scale = std::min(by_mean, by_share);
    double hidden = kUnknown;
    if (scale < 0.999 * kLargestScale) hidden = std::max(beyond(tail, scale).mean, 0.0);
    const double held = 0.25 * (clipped_mean.upper - clipped_mean.lower);
    if (clipped_share.lower <= hidden + held) return hidden;
    if (clipped_share.lower > kManyClipped) return kUnknown;
    return std::max(hidden, clipped_share.upper);
}

}  // namespace dpadapt::evaluate
