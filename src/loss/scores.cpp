#include "loss/scores.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "loss/score_loss.hpp"

namespace dpadapt::loss {

void Squared::slopes(std::size_t n, const double *score, const double *label, double *loss,
                     double *slope) const {
    for (std::size_t i = 0; i < n; ++i) {
        const double r = score[i] - label[i];
        loss[i] = r * r;
        if (slope != nullptr) slope[i] = 2.0 * r;
    }
}

void Squared::curvatures(std::size_t n, const double * /*score*/, const double * /*label*/,
                         const double *direction, double *out) const {
    for (std::size_t i = 0; i < n; ++i) out[i] = 2.0 * direction[i];
}

Bounds Squared::score_bounds(double score_radius, double label_bound) const {
    const double most = score_radius + label_bound;
    return {most * most, 2.0 * most, 2.0};
}

Huber::Huber(double threshold) : threshold_(threshold) {
    if (!(threshold > 0.0) || std::isinf(threshold))
        throw Error(DPA_E_OPTION, "the threshold of the Huber loss must be positive and finite");
}

/** With t = min(|r|, h) the loss is t (2 |r| - t), its slope 2 t with the sign of r. */
void Huber::slopes(std::size_t n, const double *score, const double *label, double *loss,
                   double *slope) const {
    const double h = threshold_;
    for (std::size_t i = 0; i < n; ++i) {
        const double r = score[i] - label[i];
        const double size = std::abs(r);
        const double t = size < h ? size : h;
        loss[i] = t * (size + (size - t));
        if (slope != nullptr) slope[i] = std::copysign(2.0 * t, r);
    }
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

namespace {

/** The part that does not depend on the level: half the mean of |r| over the shifts. */
double even_part(double size, double h) {
    const double t = size < h ? size : h;
    return 0.25 * (t * (t / h) + h) + 0.5 * (size - t);
}

}  // namespace

Pinball::Pinball(double level, double smoothing) : tilt_(0.5 - level), smoothing_(smoothing) {
    if (!(level > 0.0 && level < 1.0))
        throw Error(DPA_E_OPTION, "the level of a quantile must be between 0 and 1");
    if (!(smoothing > 0.0) || std::isinf(smoothing))
        throw Error(DPA_E_OPTION, "the smoothing of a quantile must be positive and finite");
}

void Pinball::slopes(std::size_t n, const double *score, const double *label, double *loss,
                     double *slope) const {
    const double tilt = tilt_;
    const double h = smoothing_;
    for (std::size_t i = 0; i < n; ++i) {
        const double r = score[i] - label[i];
        const double size = std::abs(r);
        loss[i] = even_part(size, h) + tilt * r;
        if (slope != nullptr) slope[i] = std::copysign(size < h ? 0.5 * (size / h) : 0.5, r) + tilt;
    }
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

}  // namespace dpadapt::loss
