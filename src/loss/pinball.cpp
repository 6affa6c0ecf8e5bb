#include "loss/pinball.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dpadapt::loss {
namespace {

/** The part that does not depend on the level: half the mean of |r| over the shifts. */
double even_part(double size, double h) {
    const double t = size < h ? size : h;
    return 0.25 * (t * (t / h) + h) + 0.5 * (size - t);
}

void pinball_rows(std::size_t n, const double *score, const double *label, double tilt, double h,
                  double *loss, double *slope) {
    for (std::size_t i = 0; i < n; ++i) {
        const double r = score[i] - label[i];
        const double size = std::abs(r);
        loss[i] = even_part(size, h) + tilt * r;
        if (slope != nullptr) slope[i] = std::copysign(size < h ? 0.5 * (size / h) : 0.5, r) + tilt;
    }
}

}  // namespace

Pinball::Pinball(double level, double smoothing) : tilt_(0.5 - level), smoothing_(smoothing) {
    if (!(level > 0.0 && level < 1.0))
        throw Error(DPA_E_OPTION, "the level of a quantile must be between 0 and 1");
    if (!(smoothing > 0.0) || std::isinf(smoothing))
        throw Error(DPA_E_OPTION, "the smoothing of a quantile must be positive and finite");
}

bool Pinball::accepts(double label) const { return std::isfinite(label); }

void Pinball::slopes(std::size_t n, const double *score, const double *label, double *loss,
                     double *slope) const {
    pinball_rows(n, score, label, tilt_, smoothing_, loss, slope);
}

void Pinball::curvatures(std::size_t n, const double *score, const double *label,
                         const double *direction, double *out) const {
    for (std::size_t i = 0; i < n; ++i)
        out[i] =
            std::abs(score[i] - label[i]) <= smoothing_ ? 0.5 * direction[i] / smoothing_ : 0.0;
}

Bounds Pinball::score_bounds(double score_radius, double label_bound) const {
    const double most = score_radius + label_bound;
    const double tilt = std::abs(tilt_);
    return {even_part(most, smoothing_) + tilt * most,
            0.5 * std::min(most / smoothing_, 1.0) + tilt, 0.5 / smoothing_};
}

double Pinball::kept_slope() const { return 0.5 + std::abs(tilt_); }

}  // namespace dpadapt::loss
