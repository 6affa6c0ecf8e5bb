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

/** A loss whose records are those of Poisson's loss with other scores and labels. */
class OfCounts : public ScoreLoss {
  public:
    void slopes(std::size_t n, const double *score, const double *label, double *loss,
                double *slope) const final;
    void curvatures(std::size_t n, const double *score, const double *label,
                    const double *direction, double *out) const final;

  protected:
    /** @param falls  Whether the other score is less the larger the score is. */
    explicit OfCounts(bool falls) : falls_(falls) {}

    /** Writes the other scores and labels of a few records. */
    virtual void to_counts(std::size_t n, const double *score, const double *label, double *other,
                           double *events) const = 0;

    Poisson counts_{1.0};

  private:
    bool falls_;
};

/** Positive amounts, as costs and durations, by a log link: half the Gamma deviance of the rate
 *  r = e^s for labels y > 0,
 *
 *      l(s, y) = y / r - 1 + log(r / y),
 *
 *  the likelihood of McCullagh and Nelder (1989, section 8.3). It is the Poisson loss of one event
 *  at the score log(y / r), whose link ends at the ratio c = 16 (docs/defaults.md). So a label of
 *  q > c rates pulls as one of c (1 + log(q / c)), and the curvature y / r is at most c. Where the
 *  score 0 stands for another rate than 1, s is the score plus its logarithm. */
class Gamma final : public OfCounts {
  public:
    /** @param unit  The rate of the score 0, but for predict, whose scores have the unit 1. */
    explicit Gamma(double unit = 1.0) : OfCounts(true), unit_(unit) {}

    [[nodiscard]] bool accepts(double label) const override;
    [[nodiscard]] const char *advice_on_labels() const override {
        return "; labels of the gamma loss are greater than 0";
    }

    /** The loss is convex in log(y / r), and the slope falls with it. So B and G are the larger
     *  sizes at its ends: the largest label at the score -S, and the least, which counts as 1e-300
     *  units, at S. beta = c, wherever scores are. All but beta are attained. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;

    [[nodiscard]] Units units(double /*deviation*/) const override { return {}; }

    void predict(std::size_t n, const double *score, double *prediction) const override {
        exp(n, score, prediction);
    }

  private:
    void to_counts(std::size_t n, const double *score, const double *label, double *other,
                   double *events) const override;

    double unit_;
};

}  // namespace dpadapt::loss
