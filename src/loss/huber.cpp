#include "loss/huber.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dpadapt::loss {
namespace {

/** With t = min(|r|, h) the loss is t (2 |r| - t), its slope 2 t with the sign of r. */
void huber_rows(std::size_t n, const double *score, const double *label, double h, double *loss,
                double *slope) {
    for (std::size_t i = 0; i < n; ++i) {
        const double r = score[i] - label[i];
        const double size = std::abs(r);
        const double t = size < h ? size : h;
        loss[i] = t * (size + (size - t));
        if (slope != nullptr) slope[i] = std::copysign(2.0 * t, r);
    }
}

}  // namespace

Huber::Huber(double threshold) : threshold_(threshold) {
    if (!(threshold > 0.0) || std::isinf(threshold))
        throw Error(DPA_E_OPTION, "the threshold of the Huber loss must be positive and finite");
}

bool Huber::accepts(double label) const { return std::isfinite(label); }

void Huber::slopes(std::size_t n, const double *score, const double *label, double *loss,
                   double *slope) const {
    huber_rows(n, score, label, threshold_, loss, slope);
}

void Huber::curvatures(std::size_t n, const double *score, const double *label,
                       const double *direction, double *out) const {
    for (std::size_t i = 0; i < n; ++i)
        out[i] = std::abs(score[i] - label[i]) <= threshold_ ? 2.0 * direction[i] : 0.0;
}

Bounds Huber::score_bounds(double score_radius, double label_bound) const {
    const double most = score_radius + label_bound;
    const double t = std::min(most, threshold_);
    return {t * (most + (most - t)), 2.0 * t, 2.0};
}

}  // namespace dpadapt::loss
