#include "loss/poisson.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace dpadapt::loss {

namespace {

constexpr std::size_t kRatesAtOnce = 64;
constexpr double kLeast = 1e-300;  // labels below that share of the most are 0

/** Of at most kRatesAtOnce scores: the rate in units of the most, as what the log link makes of the
 *  score and what the straight one adds. */
struct Rates {
    double by_log[kRatesAtOnce];
    double added[kRatesAtOnce];

    Rates(std::size_t n, const double *score, double end) {
        for (std::size_t i = 0; i < n; ++i) {
            const double t = score[i] - end;
            by_log[i] = t < 0.0 ? t : 0.0;
            added[i] = t - by_log[i];
        }
        exp(n, by_log, by_log);
    }
    [[nodiscard]] double rate(std::size_t i) const { return by_log[i] + added[i]; }
    [[nodiscard]] double integral(std::size_t i) const {
        return rate(i) + 0.5 * added[i] * added[i];
    }
};

/** Of at most kRatesAtOnce labels, in units of the most: the score that has this rate, less the
 *  end, and the integral of the rate up to it; 0 of what is no label. */
struct Best {
    double score[kRatesAtOnce];
    double integral[kRatesAtOnce];
    double label[kRatesAtOnce];

    Best(std::size_t n, const double *labels, double most) {
        for (std::size_t i = 0; i < n; ++i) {
            label[i] = labels[i] / most;
            const bool positive = label[i] > kLeast;
            const double by_log = !positive ? 1.0 : label[i] < 1.0 ? label[i] : 1.0;
            score[i] = by_log;
            integral[i] = positive ? label[i] - by_log : 0.0;  // what the straight link adds
        }
        log(n, score, score);
        for (std::size_t i = 0; i < n; ++i) {
            const double added = integral[i];
            score[i] += added;
            integral[i] = label[i] > kLeast ? label[i] + 0.5 * added * added : 0.0;
        }
    }
};

}  // namespace

Poisson::Poisson(double typical_label, double unit)
    : typical_(typical_label),
      most_(kMostTypical * typical_label),
      end_(most_),
      unit_end_(most_ / unit) {
    if (!(typical_label > kLeast) || std::isinf(most_))
        throw Error(DPA_E_OPTION,
                    "the typical label of the Poisson loss must be positive and finite");
    log(1, &end_, &end_);
    log(1, &unit_end_, &unit_end_);
}

bool Poisson::accepts(double label) const { return label >= 0.0 && std::isfinite(label); }

void Poisson::slopes(std::size_t n, const double *score, const double *label, double *loss,
                     double *slope) const {
    for (std::size_t begin = 0; begin < n; begin += kRatesAtOnce) {
        const std::size_t count = std::min(kRatesAtOnce, n - begin);
        const Rates rates(count, score + begin, unit_end_);
        const Best best(count, label + begin, most_);
        for (std::size_t i = 0; i < count; ++i) {
            const bool means = accepts(label[begin + i]);
            const double way = score[begin + i] - unit_end_ - best.score[i];
            const double value = rates.integral(i) - best.integral[i] - best.label[i] * way;
            loss[begin + i] = !means || value < 0.0 ? 0.0 : most_ * value;
            if (slope != nullptr)
                slope[begin + i] = means ? most_ * rates.rate(i) - label[begin + i] : 0.0;
        }
    }
}

void Poisson::curvatures(std::size_t n, const double *score, const double *label,
                         const double *direction, double *out) const {
    for (std::size_t begin = 0; begin < n; begin += kRatesAtOnce) {
        const std::size_t count = std::min(kRatesAtOnce, n - begin);
        const Rates rates(count, score + begin, unit_end_);
        for (std::size_t i = begin; i < begin + count; ++i)
            out[i] = accepts(label[i]) ? most_ * rates.by_log[i - begin] * direction[i] : 0.0;
    }
}

Bounds Poisson::score_bounds(double score_radius, double label_bound) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (!std::isfinite(score_radius) || !std::isfinite(label_bound))
        return {kInfinity, kInfinity, most_};
    const double score[] = {-score_radius, score_radius, -score_radius, score_radius};
    const double label[] = {0.0, 0.0, label_bound, label_bound};
    double loss[4];
    double slope[4];
    slopes(4, score, label, loss, slope);
    return {*std::max_element(loss, loss + 4), std::max(slope[1], -slope[2]), most_};
}

void Poisson::predict(std::size_t n, const double *score, double *prediction) const {
    for (std::size_t begin = 0; begin < n; begin += kRatesAtOnce) {
        const std::size_t count = std::min(kRatesAtOnce, n - begin);
        const Rates rates(count, score + begin, end_);
        for (std::size_t i = 0; i < count; ++i) prediction[begin + i] = most_ * rates.rate(i);
    }
}

void OfCounts::slopes(std::size_t n, const double *score, const double *label, double *loss,
                      double *slope) const {
    double other[kRatesAtOnce];
    double events[kRatesAtOnce];
    for (std::size_t begin = 0; begin < n; begin += kRatesAtOnce) {
        const std::size_t count = std::min(kRatesAtOnce, n - begin);
        to_counts(count, score + begin, label + begin, other, events);
        double *const some = slope == nullptr ? nullptr : slope + begin;
        counts_.slopes(count, other, events, loss + begin, some);
        for (std::size_t i = 0; i < count && falls_ && some != nullptr; ++i) some[i] = -some[i];
    }
}

void OfCounts::curvatures(std::size_t n, const double *score, const double *label,
                          const double *direction, double *out) const {
    double other[kRatesAtOnce];
    double events[kRatesAtOnce];
    for (std::size_t begin = 0; begin < n; begin += kRatesAtOnce) {
        const std::size_t count = std::min(kRatesAtOnce, n - begin);
        to_counts(count, score + begin, label + begin, other, events);
        counts_.curvatures(count, other, events, direction + begin, out + begin);
    }
}

bool Gamma::accepts(double label) const { return label > 0.0 && std::isfinite(label); }

void Gamma::to_counts(std::size_t n, const double *score, const double *label, double *other,
                      double *events) const {
    for (std::size_t i = 0; i < n; ++i) {
        const bool means = accepts(label[i]);
        events[i] = means ? 1.0 : -1.0;  // which means nothing there either
        other[i] = means ? std::clamp(label[i] / unit_, kLeast, 1.0 / kLeast) : 1.0;
    }
    log(n, other, other);
    for (std::size_t i = 0; i < n; ++i) other[i] -= score[i];
}

Bounds Gamma::score_bounds(double score_radius, double label_bound) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double beta = counts_.largest_curvature();
    if (!std::isfinite(score_radius) || !std::isfinite(label_bound))
        return {kInfinity, kInfinity, beta};
    const double score[] = {score_radius, -score_radius};
    const double label[] = {std::numeric_limits<double>::denorm_min(), label_bound};
    double loss[2];
    double slope[2];
    slopes(2, score, label, loss, slope);
    return {std::max(loss[0], loss[1]), std::max(slope[0], -slope[1]), beta};
}

}  // namespace dpadapt::loss
