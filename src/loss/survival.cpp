#include "loss/survival.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dpadapt::loss {

namespace {

constexpr std::size_t kRowsAtOnce = 64;
constexpr double kLeastShare = 1e-6;  // of the last cumulative hazard: the least of a row

}  // namespace

/** Linear from `first` at time 0 on. */
double CumulativeHazard::between(const std::vector<double> &values, double first,
                                 double time) const {
    const auto next = std::lower_bound(times.begin(), times.end(), time);
    if (next == times.end()) return values.back();
    const auto k = static_cast<std::size_t>(next - times.begin());
    const double begin = k > 0 ? times[k - 1] : 0.0;
    const double from = k > 0 ? values[k - 1] : first;
    return from + (values[k] - from) * ((time - begin) / (times[k] - begin));
}

bool CumulativeHazard::is_possible() const {
    const auto rises = [](const std::vector<double> &values) {
        double last = 0.0;
        for (const double value : values)
            if (!(value > std::exchange(last, value))) return false;
        return !values.empty() && std::isfinite(last);
    };
    return times.size() <= kMostPieces && times.size() == hazards.size() && rises(times) &&
           rises(hazards);
}

/** Of at most kRowsAtOnce rows what Poisson's loss takes. */
struct Survival::Counts {
    double score[kRowsAtOnce];
    double event[kRowsAtOnce];  ///< NaN of what is no label

    Counts(const Survival &loss, std::size_t n, const double *scores, const double *labels) {
        const CumulativeHazard &baseline = loss.baseline_;
        for (std::size_t i = 0; i < n; ++i) {
            const bool means = loss.accepts(labels[i]);
            const double time = means ? std::abs(labels[i]) : 1.0;
            const bool seen = labels[i] > 0.0 && time <= baseline.times.back();
            event[i] = !means ? std::numeric_limits<double>::quiet_NaN() : seen ? 1.0 : 0.0;
            score[i] = std::max(baseline.at(time), kLeastShare * baseline.hazards.back());
        }
        log(n, score, score);
        for (std::size_t i = 0; i < n; ++i) score[i] += scores[i];
    }
};

bool Survival::accepts(double label) const { return label != 0.0 && std::isfinite(label); }

void Survival::slopes(std::size_t n, const double *score, const double *label, double *loss,
                      double *slope) const {
    for (std::size_t begin = 0; begin < n; begin += kRowsAtOnce) {
        const std::size_t count = std::min(kRowsAtOnce, n - begin);
        const Counts counts(*this, count, score + begin, label + begin);
        rates_.slopes(count, counts.score, counts.event, loss + begin,
                      slope == nullptr ? nullptr : slope + begin);
    }
}

void Survival::curvatures(std::size_t n, const double *score, const double *label,
                          const double *direction, double *out) const {
    for (std::size_t begin = 0; begin < n; begin += kRowsAtOnce) {
        const std::size_t count = std::min(kRowsAtOnce, n - begin);
        const Counts counts(*this, count, score + begin, label + begin);
        rates_.curvatures(count, counts.score, counts.event, direction + begin, out + begin);
    }
}

Bounds Survival::score_bounds(double score_radius, double /*label_bound*/) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double beta = rates_.largest_curvature();
    if (!std::isfinite(score_radius)) return {kInfinity, kInfinity, beta};
    double ends[] = {kLeastShare * baseline_.hazards.back(), baseline_.hazards.back()};
    log(2, ends, ends);
    const double score[] = {ends[0] - score_radius, ends[1] + score_radius, ends[1] + score_radius};
    const double event[] = {1.0, 1.0, 0.0};
    double loss[3];
    double slope[3];
    rates_.slopes(3, score, event, loss, slope);
    return {*std::max_element(loss, loss + 3), std::max(-slope[0], slope[2]), beta};
}

void Survival::predict(std::size_t n, const double *score, double *prediction) const {
    exp(n, score, prediction);
}

}  // namespace dpadapt::loss
