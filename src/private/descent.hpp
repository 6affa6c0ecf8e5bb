#pragma once

#include "linalg/arma.hpp"
#include "loss/score_loss.hpp"
#include "private/metric.hpp"
#include "problem/settings.hpp"
#include "records/paid_call.hpp"

namespace dpadapt {

/** Private minimization of the objective for a fixed alpha, any loss and penalty, with the weights
 *  profiled out.
 *
 *  At theta each weight is at its best, a function of the record's own loss, of d and of the
 *  scalars that stand for ||q||_2 and the largest weight; so the gradient by theta is a sum over
 *  records, q_j times the gradient of loss j in the metric, and no noise is spent on the weights. A
 *  term is shrunk to norm p_j C, which only lowers its weight further. Private terms are released
 *  as one noisy sum a step, public ones are exact; then a step in the metric, projected on the ball
 *  if the option radius is set, and the average of the last half of the steps, of three quarters
 *  if noise explains the difference of the quarter before, of all if it explains that
 *  of the first quarter too. Where the
 *  penalty couples the weights, the sums behind the scalars are two more coordinates of the same
 *  sum: the scalars are released state, never functions of unreleased weights. What noise explains
 *  of the result's distance from the minimum of the public part is taken back. Without private
 *  terms (alpha = 1, say) the public part is minimized at no cost.
 *
 *  Privacy: as fit_with_shrinkage; records of both samples are in one sum if both are private. */
[[nodiscard]] PrivateFit fit_with_fixed_alpha(const PrivateRun &run, const Settings &settings,
                                              double discrepancy);

/** Variance of a coordinate of the average of the last iterates of a descent with steps of length
 *  1, in units of that of the noise in one gradient: a mean over the directions of the metric, with
 *  the curvatures h that the mean public loss has in them. Where h is 1 the average of k iterates
 *  has 1/k; the flatter a direction, the longer its noise lives.
 *
 *  Clipped gradients of d features bring iterates back by sqrt(2/(pi d)) of the clip bound at most:
 *  records pull in their own directions, whose mean this is. If noise moves iterates by `force`
 *  times that in a step, force > 1, the pull of saturated gradients is that of a linear one with
 *  2/(1 + force^2) of the curvature; force^-4 is taken, to be safe.
 *
 *  @param pushed  Norm of the noise in a step, in clip bounds.
 */
[[nodiscard]] double noise_of_average(const Metric &metric, const PublicSample &sample,
                                      std::uint64_t steps, std::uint64_t averaged, double pushed);

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
