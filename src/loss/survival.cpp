#include "loss/survival.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dpadapt::loss {

namespace {

constexpr double kLeastShare = 1e-6;  // of the last hazard: the least; docs/defaults.md

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

bool Survival::accepts(double label) const { return label != 0.0 && std::isfinite(label); }

void Survival::to_counts(std::size_t n, const double *score, const double *label, double *other,
                         double *events) const {
    for (std::size_t i = 0; i < n; ++i) {
        const bool means = accepts(label[i]);
        const double time = means ? std::abs(label[i]) : 1.0;
        const bool seen = label[i] > 0.0 && time <= baseline_.times.back();
        events[i] = !means ? std::numeric_limits<double>::quiet_NaN() : seen ? 1.0 : 0.0;
        other[i] = std::max(baseline_.at(time), kLeastShare * baseline_.hazards.back());
    }
    log(n, other, other);
    for (std::size_t i = 0; i < n; ++i) other[i] += score[i];
}

Bounds Survival::score_bounds(double score_radius, double /*label_bound*/) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double beta = counts_.largest_curvature();
    if (!std::isfinite(score_radius)) return {kInfinity, kInfinity, beta};
    double ends[] = {kLeastShare * baseline_.hazards.back(), baseline_.hazards.back()};
    log(2, ends, ends);
    const double score[] = {ends[0] - score_radius, ends[1] + score_radius, ends[1] + score_radius};
    const double event[] = {1.0, 1.0, 0.0};
    double loss[3];
    double slope[3];
    counts_.slopes(3, score, event, loss, slope);
    return {*std::max_element(loss, loss + 3), std::max(-slope[0], slope[2]), beta};
}

void Survival::predict(std::size_t n, const double *score, double *prediction) const {
    exp(n, score, prediction);
}

}  // namespace dpadapt::loss
