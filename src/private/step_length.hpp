#pragma once

#include "linalg/arma.hpp"

namespace dpadapt {

/** The factor of gradients in steps whose metric does not foresee every curvature, from released
 *  gradients alone. A gradient that points back at the one before, by more than noise explains,
 *  tells that the step went too far: the factor becomes the one with which, by the secant rule,
 *  that gradient would have vanished. */
class StepLength {
  public:
    /** `noise`: mean squared norm of the noise in a gradient. */
    explicit StepLength(double noise) : noise_(noise) {}

    /** For the next gradient. */
    double operator()(const arma::vec &gradient) {
        constexpr double kBack = 0.5;
        constexpr double kOfNoise = 4.0;
        const double size = arma::dot(before_, before_);
        const double back = before_.is_empty() ? 0.0 : -arma::dot(gradient, before_);
        if (back > kBack * size && size > kOfNoise * noise_) length_ /= 1.0 + back / size;
        before_ = gradient;
        return length_;
    }

  private:
    double noise_;
    double length_ = 1.0;
    arma::vec before_;
};

}  // namespace dpadapt
