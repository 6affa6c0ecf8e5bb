#pragma once

#include "loss/score_loss.hpp"

namespace dpadapt::loss {

/** The loss of the quantile of level a, averaged over shifts of the label by at most h: with
 *  r = s - y and t = min(|r|, h)
 *
 *      l(s, y) = (t^2/h + h)/4 + (|r| - t)/2 + (1/2 - a) r.
 *
 *  Beyond h it is a (y - s) below the label and (1 - a) (s - y) above. Its slope is the share of
 *  the shifted labels that lie below the score, minus a: at the minimum of a mean loss that share
 *  is a on average (Fernandes, Guerre and Horta, 2021). */
class Pinball final : public ScoreLoss {
  public:
    /** Throws Error(DPA_E_OPTION) unless 0 < level < 1 and 0 < smoothing < infinity. */
    Pinball(double level, double smoothing);

    [[nodiscard]] bool accepts(double label) const override;
    void slopes(std::size_t n, const double *score, const double *label, double *loss,
                double *slope) const override;
    void curvatures(std::size_t n, const double *score, const double *label,
                    const double *direction, double *out) const override;

    /** |r| <= S + Y. The loss is convex in r, so B is its larger value at the two ends. The slope
     *  grows with r, so G is the larger size at the ends, min((S + Y)/h, 1)/2 + |1/2 - a|; beta =
     *  1/(2h), the Lipschitz constant of the slope, which has kinks at +-h. All are attained. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;

    /** The larger of a and 1 - a: of the 0.99 quantile one record in a hundred has that slope, and
     *  balances all others. */
    [[nodiscard]] double kept_slope() const override;

  private:
    double tilt_;  ///< 1/2 - a
    double smoothing_;
};

}  // namespace dpadapt::loss
