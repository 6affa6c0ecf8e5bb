#include "loss/squared.hpp"

#include <cmath>

namespace dpadapt::loss {
namespace {

void squared_rows(std::size_t n, const double *score, const double *label, double *loss,
                  double *slope) {
    for (std::size_t i = 0; i < n; ++i) {
        const double r = score[i] - label[i];
        loss[i] = r * r;
        if (slope != nullptr) slope[i] = 2.0 * r;
    }
}

}  // namespace

bool Squared::accepts(double label) const { return std::isfinite(label); }

void Squared::slopes(std::size_t n, const double *score, const double *label, double *loss,
                     double *slope) const {
    squared_rows(n, score, label, loss, slope);
}

void Squared::curvatures(std::size_t n, const double * /*score*/, const double * /*label*/,
                         const double *direction, double *out) const {
    for (std::size_t i = 0; i < n; ++i) out[i] = 2.0 * direction[i];
}

Bounds Squared::score_bounds(double score_radius, double label_bound) const {
    const double most = score_radius + label_bound;
    return {most * most, 2.0 * most, 2.0};
}

}  // namespace dpadapt::loss
