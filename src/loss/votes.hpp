#pragma once

#include "loss/logistic.hpp"

namespace dpadapt::loss {

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
