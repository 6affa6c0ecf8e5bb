#pragma once

#include "loss/score_loss.hpp"

namespace dpadapt::loss {

/** (s - y)^2 while |s - y| is at most the threshold h, beyond it the tangent 2 h |s - y| - h^2. */
class Huber final : public ScoreLoss {
  public:
    /** Throws Error(DPA_E_OPTION) unless 0 < threshold < infinity. */
    explicit Huber(double threshold);

    [[nodiscard]] bool accepts(double label) const override;
    void slopes(std::size_t n, const double *score, const double *label, double *loss,
                double *slope) const override;
    void curvatures(std::size_t n, const double *score, const double *label,
                    const double *direction, double *out) const override;

    /** |s - y| <= S + Y: B is the loss there, G = 2 min(h, S + Y), beta = 2, the Lipschitz constant
     *  of the slope, which has kinks at +-h. All of them are attained. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;

  private:
    double threshold_;
};

}  // namespace dpadapt::loss
