#include "evaluate/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/quantile.hpp"
#include "solution/findings.hpp"

namespace dpadapt::evaluate {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

constexpr double kSmallestScale = 1e-3;
constexpr double kLargestScale = 1e4;  // a larger one is of no use

/** What a distribution has above the bound: the share, and the mean of what is beyond it. */
struct TailMass {
    double share;
    double mean;
};

/** The probability that a normal deviate is more than a. */
double above(double a) { return 0.5 * std::erfc(a * kRootOfHalf); }

double density(double a) { return std::exp(-0.5 * a * a) * std::numbers::inv_sqrtpi * kRootOfHalf; }

/** With t = 2 tan(v) Student's density is 3/4 cos(v)^3, and all of this follows. */
TailMass beyond_of_student(double scale, bool squares) {
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
TailMass beyond(Tail tail, double scale) {
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
            return scale * std::sqrt(2.0 / std::numbers::pi);
        case Tail::heavy_squares:
            return 2.0 * scale * scale;
        case Tail::heavy_absolutes:
        case Tail::exponential:
            break;
    }
    return scale;
}

/** Where an increasing function of the scale has that value; the end of the range if nowhere. */
double scale_where(const auto &function, double value) {
    const auto is_below = [&](double x) { return function(std::exp(x)) < value; };
    return std::exp(bisect(std::log(kSmallestScale), std::log(kLargestScale), 60, is_below).second);
}

}  // namespace

double left_out_factor(const Solution &solution, std::size_t rows) {
    constexpr double kMostShare = 0.75;
    const double each = loss::has_likelihood(solution.loss) ? 2.0 : 1.0;
    const std::size_t chosen =
        solution.parameters.empty() ? solution.dimension() + 1 : solution.parameters.size();
    const double share = each * static_cast<double>(chosen) / static_cast<double>(rows);
    return share <= kMostShare ? 1.0 / (1.0 - share) : kUnknown;  // of no row: infinite
}

double widened(std::vector<double> sizes, double level) {
    constexpr double kRoom = 1.6;  // docs/defaults.md
    if (sizes.empty()) return kUnknown;
    const double bound = kRoom * quantile(std::move(sizes), level);
    return bound > 0.0 && std::isfinite(bound) ? bound : kUnknown;
}

bool is_credible(double bound, const Solution &solution, const Sample &rows) {
    constexpr double kLeast = 1e-6;
    if (!std::isfinite(bound)) return false;
    if (loss::has_likelihood(solution.loss)) return bound > kLeast;
    double lowest = kUnknown;
    double highest = -kUnknown;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        lowest = std::fmin(lowest, rows.y()[i]);
        highest = std::fmax(highest, rows.y()[i]);
    }
    return highest > lowest && bound > kLeast * (highest - lowest);
}

double error_bound(const Solution &solution, const Sample &rows) {
    constexpr std::size_t kMost = 20000;
    const Sample drawn = rows.evenly_drawn(kMost);
    std::vector<double> sizes;
    for (const RowError &error : row_errors(solution, drawn, Evaluation::in_blocks))
        if (error.size) sizes.push_back(*error.size);
    const double factor = left_out_factor(
        solution, sizes.size() * std::max<std::size_t>(
                                     rows.rows() / std::max<std::size_t>(drawn.rows(), 1), 1));
    const double bound = factor * widened(std::move(sizes), kErrorLevel);
    return is_credible(bound, solution, drawn) ? bound : kUnknown;
}

double hidden_by_clips(const Interval &clipped_mean, const Interval &clipped_share, Tail tail) {
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

Excess tail_excess(const Powers &powers, const Powers &noise, std::size_t rows) {
    constexpr double kSure = 1.5;  // docs/defaults.md: deviations
    const double square = std::max(powers.square, noise.square);
    const auto clipped = [](double x) { return x * x - beyond(Tail::squares, x).mean; };
    const double scale = scale_where(clipped, square);
    const double a = 1.0 / scale;
    const double within = 3.0 * (1.0 - 2.0 * above(a)) - 2.0 * density(a) * a * (a * a + 3.0);
    const double normal = std::pow(scale, 4.0) * within + 2.0 * above(a);
    const double slope = 2.0 * normal / square;
    const double sampling = normal * std::sqrt(8.0 / 3.0 / static_cast<double>(rows));
    const double chance = kSure * std::hypot(noise.square * (1.0 - slope), noise.fourth, sampling);
    return {(powers.fourth - chance) / normal - 1.0, (powers.fourth + chance) / normal - 1.0};
}

double hidden_by_long_tail(const Interval &clipped_mean, const Interval &clipped_share,
                           const TailSigns &signs, bool squares) {
    constexpr double kLooksNormal = 0.1;
    constexpr double kMost = 2.0;  // docs/defaults.md: of index 3
    const bool many = clipped_share.lower > kManyClipped;
    if (many && (signs.learnt || signs.excess.upper > kLooksNormal)) return kUnknown;
    if (many || !(signs.excess.lower > 0.0)) return 0.0;
    const double near = clipped_share.upper / kManyClipped;
    const double index_part = kMost * std::min(signs.excess.lower, 1.0);
    const double far = signs.known ? index_part : index_part * std::max(1.0, near);
    const double factor = squares ? far : far / (far + 2.0);
    const double width = clipped_mean.upper - clipped_mean.estimate;
    return factor * clipped_share.estimate +
           std::hypot(width, factor * (clipped_share.upper - clipped_share.estimate)) - width;
}

double two_sided_quantile(double confidence) {
    const auto is_below = [&](double z) { return std::erfc(z * kRootOfHalf) > 1.0 - confidence; };
    return bisect(0.0, 40.0, 100, is_below).second;
}

Interval interval(double value, double deviation, double low, double high, double confidence) {
    const double half = two_sided_quantile(confidence) * deviation;
    const double inside = std::clamp(value, low, high);  // noise may lead far out
    return {inside, std::max(inside - half, low), std::min(inside + half, high)};
}

Interval interval(const Mean &mean, std::size_t rows, double confidence) {
    constexpr double kCaution = 1.0;
    const double variance = std::max(0.0, mean.variance + kCaution * mean.variance_noise);
    // mutant: noise_left_out_of_the_interval
    const double square = mean.noise * mean.noise + variance / static_cast<double>(rows);
    return interval(mean.value, std::sqrt(square), mean.low, mean.high, confidence);
}

}  // namespace dpadapt::evaluate
