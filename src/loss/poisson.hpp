#pragma once

#include "loss/score_loss.hpp"

namespace dpadapt::loss {

/** Counts and rates by a log link, for labels y >= 0: half the Poisson deviance of the rate
 *  r = e^s,
 *
 *      l(s, y) = r - y + y log(y / r).
 *
 *  From the most c = 16 typical labels on the link is straight, r = c (1 + s - log c), so that the
 *  curvature is at most c. There l is the convex function of the score whose slope is r - y and
 *  whose minimum is 0. Below it is the likelihood of McCullagh and Nelder (1989, section 6.2).
 *  Where the score 0 stands for another rate than 1, s is the score plus its logarithm. */
class Poisson final : public ScoreLoss {
  public:
    static constexpr double kMostTypical = 16.0;  ///< docs/defaults.md

    /** @param unit  The rate of the score 0, but for predict, whose scores have the unit 1.
     *  Throws Error(DPA_E_OPTION) unless 0 < 16 typical_label < infinity. */
    explicit Poisson(double typical_label, double unit = 1.0);

    [[nodiscard]] bool accepts(double label) const override;
    [[nodiscard]] const char *advice_on_labels() const override {
        return "; counts and rates are at least 0";
    }
    void slopes(std::size_t n, const double *score, const double *label, double *loss,
                double *slope) const override;
    void curvatures(std::size_t n, const double *score, const double *label,
                    const double *direction, double *out) const override;

    /** The loss is convex in s and in y, so B is the largest value at the corners. The slope grows
     *  with s and falls with y, so G is the larger size at two of them. beta = c, wherever scores
     *  are. All but beta are attained. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;

    /** Scores are logarithms, whatever the labels count. */
    [[nodiscard]] Units units(double /*deviation*/) const override { return {1.0, typical_}; }

    void predict(std::size_t n, const double *score, double *prediction) const override;

  private:
    double typical_;
    double most_;      ///< c
    double end_;       ///< log c, the score of that rate
    double unit_end_;  ///< the same in units
};

}  // namespace dpadapt::loss
