#pragma once

#include "loss/score_loss.hpp"

namespace dpadapt::loss {

/** l(s, y) = (s - y)^2, for any finite label. */
class Squared final : public ScoreLoss {
  public:
    [[nodiscard]] bool accepts(double label) const override;
    void slopes(std::size_t n, const double *score, const double *label, double *loss,
                double *slope) const override;
    void curvatures(std::size_t n, const double *score, const double *label,
                    const double *direction, double *out) const override;

    /** |s - y| <= S + Y, so B = (S + Y)^2, G = 2 (S + Y), beta = 2: all of them attained. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;
};

}  // namespace dpadapt::loss
