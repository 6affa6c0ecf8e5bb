#pragma once

#include "loss/score_loss.hpp"

namespace dpadapt::loss {

/** l(s, y) = (s - y)^2, for any finite label. */
class Squared final : public ScoreLoss {
  public:
    void slopes(std::size_t n, const double *score, const double *label, double *loss,
                double *slope) const override;
    void curvatures(std::size_t n, const double *score, const double *label,
                    const double *direction, double *out) const override;

    /** |s - y| <= S + Y, so B = (S + Y)^2, G = 2 (S + Y), beta = 2: all of them attained. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;
};

/** (s - y)^2 while |s - y| is at most the threshold h, beyond it the tangent 2 h |s - y| - h^2. */
class Huber final : public ScoreLoss {
  public:
    /** Throws Error(DPA_E_OPTION) unless 0 < threshold < infinity. */
    explicit Huber(double threshold);

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

/** l(s, y) = log(1 + e^(-y s)) for y = -1 or +1. */
class Logistic final : public ScoreLoss {
  public:
    [[nodiscard]] bool accepts(double label) const override;
    [[nodiscard]] const char *advice_on_labels() const override {
        return "; those of two classes are -1 and 1";
    }
    void slopes(std::size_t n, const double *score, const double *label, double *loss,
                double *slope) const override;
    void curvatures(std::size_t n, const double *score, const double *label,
                    const double *direction, double *out) const override;

    /** The loss grows with -y s, so B = log(1 + e^S). The slope has the size 1 / (1 + e^(y s)), so
     *  G = 1 / (1 + e^-S); the curvature is p (1 - p) with p that size, so beta = 1/4. All of them
     *  are attained. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;

    [[nodiscard]] Units units(double /*deviation*/) const override { return {}; }

    void predict(std::size_t n, const double *score, double *prediction) const override;
    void probabilities(std::size_t n, const double *score, double *out) const override;
};

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

    void slopes(std::size_t n, const double *score, const double *label, double *loss,
                double *slope) const override;
    void curvatures(std::size_t n, const double *score, const double *label,
                    const double *direction, double *out) const override;

    /** |r| <= S + Y. The loss is convex in r, so B is its larger value at the two ends. The slope
     *  grows with r, so G is the larger size at the ends, min((S + Y)/h, 1)/2 + |1/2 - a|; beta =
     *  1/(2h), the Lipschitz constant of the slope, which has kinks at +-h. All are attained. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;

    [[nodiscard]] Units units(double deviation) const override { return {deviation, deviation}; }

    /** The larger of a and 1 - a: of the 0.99 quantile one record in a hundred has that slope, and
     *  balances all others. */
    [[nodiscard]] double kept_slope() const override { return 0.5 + std::abs(tilt_); }

  private:
    double tilt_;  ///< 1/2 - a
    double smoothing_;
};

}  // namespace dpadapt::loss
