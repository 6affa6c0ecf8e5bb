#include "loss/logistic.hpp"

#include <algorithm>
#include <cmath>

#include "loss/elementary.hpp"

namespace dpadapt::loss {
namespace {

constexpr std::size_t kAtOnce = 64;

/** The label, or 0 if it has no meaning: then slope and curvature vanish. One comparison, which
 *  always goes the same way: one by sign would be guessed wrongly for every other record. */
double sign_of(double label) { return std::abs(label) == 1.0 ? label : 0.0; }

/** At most kAtOnce rows; -y s stands where the loss will be. */
void logistic_rows(std::size_t n, const double *score, const double *label, double *loss,
                   double *slope) {
    double size[kAtOnce];
    for (std::size_t i = 0; i < n; ++i) loss[i] = -sign_of(label[i]) * score[i];
    log1p_exp_and_logistic(n, loss, loss, size);
    for (std::size_t i = 0; i < n; ++i) loss[i] = sign_of(label[i]) == 0.0 ? 0.0 : loss[i];
    if (slope == nullptr) return;
    for (std::size_t i = 0; i < n; ++i) slope[i] = -sign_of(label[i]) * size[i];
}

}  // namespace

bool Logistic::accepts(double label) const { return sign_of(label) != 0.0; }

void Logistic::slopes(std::size_t n, const double *score, const double *label, double *loss,
                      double *slope) const {
    for (std::size_t i = 0; i < n; i += kAtOnce)
        logistic_rows(std::min(kAtOnce, n - i), score + i, label + i, loss + i,
                      slope == nullptr ? nullptr : slope + i);
}

/** p (1 - p), with 1 - p the logistic function of -s, which is accurate where p is near 1. */
void Logistic::curvatures(std::size_t n, const double *score, const double *label,
                          const double *direction, double *out) const {
    for (std::size_t i = 0; i < n; i += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, n - i);
        double p[kAtOnce];
        double other[kAtOnce];
        for (std::size_t k = 0; k < count; ++k) other[k] = -score[i + k];
        logistic(count, score + i, p);
        logistic(count, other, other);
        for (std::size_t k = 0; k < count; ++k)
            out[i + k] = accepts(label[i + k]) ? p[k] * other[k] * direction[i + k] : 0.0;
    }
}

Bounds Logistic::score_bounds(double score_radius, double /*label_bound*/) const {
    Bounds bounds{0.0, 0.0, 0.25};
    log1p_exp(1, &score_radius, &bounds.value);
    logistic(1, &score_radius, &bounds.lipschitz);
    return bounds;
}

void Logistic::predict(std::size_t n, const double *score, double *prediction) const {
    for (std::size_t i = 0; i < n; ++i) prediction[i] = score[i] < 0.0 ? -1.0 : 1.0;
}

void Logistic::probabilities(std::size_t n, const double *score, double *out) const {
    logistic(n, score, out);
}

}  // namespace dpadapt::loss
