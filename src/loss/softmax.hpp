#pragma once

#include "loss/score_loss.hpp"
#include "loss/scores.hpp"

namespace dpadapt::loss {

/** l(s, y) = log(sum_k e^(s_k - s_y)) for the classes y = 0..K-1 (multinomial logistic
 *  regression). */
class Softmax final : public ScoreLoss {
  public:
    /** Throws Error(DPA_E_OPTION) for fewer than two classes. */
    explicit Softmax(std::size_t classes);

    [[nodiscard]] std::size_t outputs() const override { return classes_; }
    [[nodiscard]] bool accepts(double label) const override;
    void slopes(std::size_t n, const double *score, const double *label, double *loss,
                double *slope) const override;
    void curvatures(std::size_t n, const double *score, const double *label,
                    const double *direction, double *out) const override;
    void diagonals(std::size_t n, const double *score, const double *label,
                   double *out) const override;

    /** With p the probabilities and ||s|| <= S:
     *  s_k - s_y <= sqrt(2) S, so B = log(1 + (K - 1) e^(sqrt(2) S)), attained for K = 2;
     *  the slope p - e_y has the square (1 - p_y)^2 + sum_{k != y} p_k^2 <= 2 (1 - p_y)^2 and p_y =
     *  e^-l, so G = sqrt(2) (1 - e^-B), attained for K = 2;
     *  the rows of the Hessian diag(p) - p p' have absolute sums 2 p_k (1 - p_k) <= 1/2, so beta =
     *  1/2 (Gershgorin), attained where two classes share all of the probability. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;

    [[nodiscard]] Units units(double /*deviation*/) const override { return {}; }

    /** The class with the largest score, the first one of several. */
    void predict(std::size_t n, const double *score, double *prediction) const override;
    void probabilities(std::size_t n, const double *score, double *out) const override;

  private:
    std::size_t classes_;
};

/** A weighted vote of linear classifiers, as boosting makes it: the score is sum_k beta_k sign(w_k
 *  . x), with sign(0) = 1. theta is classifier after classifier, in each of them beta, then w. It
 *  is made to predict, by the sign of the score, and has no gradient: evaluate throws
 *  Error(DPA_E_UNSUPPORTED). */
class Votes final : public Loss {
  public:
    explicit Votes(std::size_t classifiers) : classifiers_(classifiers) {}

    [[nodiscard]] std::size_t parameters(std::size_t features) const override {
        return classifiers_ * (features + 1);
    }
    [[nodiscard]] bool accepts(double label) const override { return output_.accepts(label); }
    void evaluate(const Block &block, std::span<const double> theta, std::span<double> losses,
                  std::span<double> gradients) const override;
    [[nodiscard]] Bounds bounds(const Range &range) const override;
    [[nodiscard]] const ScoreLoss *output() const override { return &output_; }
    void scores(const Block &block, std::span<const double> theta,
                std::span<double> scores) const override;

  private:
    std::size_t classifiers_;
    Logistic output_;
};

}  // namespace dpadapt::loss
