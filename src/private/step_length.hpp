#pragma once

#include "linalg/arma.hpp"
#include "loss/score_loss.hpp"

namespace dpadapt {

/** The factor of gradients in steps whose metric does not foresee every curvature, from released
 *  gradients alone. A gradient that points back at the one before, by more than noise explains,
 *  tells that the step went too far: the factor becomes the one with which, by the secant rule,
 *  that gradient would have vanished. A gradient most of which is left after a step doubles the
 *  factor, until a step has gone too far: far from its minimum a clipped loss hardly bends. */
class StepLength {
  public:
    /** `noise`: mean squared norm of the noise in a gradient; `flattens`: steps may grow again. */
    StepLength(double noise, bool flattens) : noise_(noise), flattens_(flattens) {}

    /** For the next gradient; `moved`: whether the last one was followed. */
    double operator()(const arma::vec &gradient, bool moved = true) {
        constexpr double kBack = 0.5;
        constexpr double kOfNoise = 4.0;
        constexpr double kLeft = 0.5;
        constexpr double kMost = 16.0;
        const double size = arma::dot(before_, before_);
        const double along = before_.is_empty() ? 0.0 : arma::dot(gradient, before_);
        if (size > kOfNoise * noise_) {
            if (-along > kBack * size) {
                length_ /= 1.0 - along / size;
                grows_ = flattens_;
            }
            if (grows_ && moved && along > kLeft * size && length_ < kMost) length_ *= 2.0;
        }
        before_ = gradient;
        return length_;
    }

  private:
    double noise_;
    bool flattens_;
    bool grows_ = true;
    double length_ = 1.0;
    arma::vec before_;
};

/** Whether a gradient of the loss may stay small however far its minimum is, as that of a quantile
 *  near 0 or 1 does on one side. */
[[nodiscard]] inline bool flattens(const loss::Loss &loss) {
    return loss.output() != nullptr && loss.output()->kept_slope() > 0.0;
}

}  // namespace dpadapt
