#pragma once

#include "loss/score_loss.hpp"

namespace dpadapt::loss {

/** l(s, y) = log(1 + e^(-y s)) for y = -1 or +1. */
class Logistic final : public ScoreLoss {
  public:
    [[nodiscard]] bool accepts(double label) const override;
    void slopes(std::size_t n, const double *score, const double *label, double *loss,
                double *slope) const override;
    void curvatures(std::size_t n, const double *score, const double *label,
                    const double *direction, double *out) const override;

    /** The loss grows with -y s, so B = log(1 + e^S). The slope has the size 1 / (1 + e^(y s)), so
     *  G = 1 / (1 + e^-S); the curvature is p (1 - p) with p that size, so beta = 1/4. All of them
     *  are attained. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;

    void predict(std::size_t n, const double *score, double *prediction) const override;
    void probabilities(std::size_t n, const double *score, double *out) const override;
};

}  // namespace dpadapt::loss
