#include <algorithm>
#include <cmath>

#include "discrepancy/certified.hpp"
#include "discrepancy/estimate.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt {

namespace {

/** With s the distance of the predictions of w from those of the reference, both as root mean
 *  squares over the target, and e the disagreement, the root of L_target(w) is in [s - e, s + e].
 *  For any lambda > 0, and at most 1 below,
 *
 *      (s + e)^2      <= (1 + lambda) s^2 + (1 + 1/lambda) e^2
 *      max(0, s - e)^2 >= (1 - lambda) s^2 + (1 - 1/lambda) e^2,
 *
 *  which are losses of a target whose labels are the reference's predictions: the difference from
 *  L_source is a quadratic, and its maximum a trust-region problem. */
class OneSide {
  public:
    OneSide(const Moments &source, const UnseenLabels &target, const arma::vec &center,
            double radius, double sign)
        : source_(source), target_(target), center_(center), radius_(radius), sign_(sign) {
        second_ = target.second;
        second_.diag() += sign * target.slack;
    }

    /** The least bound over lambda. In lambda a bound is convex, and its slope is s^2 -
     *  e^2/lambda^2 where the maximum is. */
    [[nodiscard]] double operator()(Control &control) const {
        constexpr int kSteps = 34;  // of the logarithm: lambda to 1e-8
        double low = -40.0;
        double high = sign_ > 0.0 ? 20.0 : 0.0;
        double least = std::fmin(HUGE_VAL, at(std::exp2(high)).value);  // not a number: passed over
        for (int step = 0; step < kSteps; ++step) {
            control.report({"discrepancy", step, kSteps});
            const double middle = 0.5 * (low + high);
            const auto [value, slope] = at(std::exp2(middle));
            least = std::fmin(least, value);
            (slope > 0.0 ? high : low) = middle;
        }
        return least;
    }

  private:
    struct Bound {
        double value;
        double slope;
    };

    [[nodiscard]] Bound at(double lambda) const {
        const double square = target_.disagreement * target_.disagreement;
        // mutant: disagreement_left_out
        const double rest = (1.0 + sign_ / lambda) * square;
        // mutant: disagreement_without_cross_term
        const double scale = 1.0 + sign_ * lambda;
        const arma::vec cross = second_ * target_.reference;
        const Moments seen{scale * second_, scale * cross,
                           scale * arma::dot(target_.reference, cross) + rest};
        const LossDifference difference = loss_difference(seen, source_, center_);
        const linalg::TrustRegionMinimum least =
            linalg::minimize_in_ball(linalg::decompose(-2.0 * sign_ * difference.second),
                                     -2.0 * sign_ * difference.slope, radius_);
        const double reach = arma::norm(center_) + radius_;
        const double rounding =
            proven_rounding(center_.n_elem, loss_size(seen, reach) + loss_size(source_, reach));
        const arma::vec x = center_ + least.x - target_.reference;
        return {sign_ * difference.constant - least.lower + rounding,
                arma::dot(x, second_ * x) - square / (lambda * lambda)};
    }

    const Moments &source_;
    const UnseenLabels &target_;
    const arma::vec &center_;
    double radius_;
    double sign_;
    arma::mat second_;
};

}  // namespace

double bound_labelled(const Moments &source, const UnseenLabels &target, const arma::vec &center,
                      double radius, DiscrepancySide side, Control &control) {
    const auto largest = [&](double sign) {
        return OneSide(source, target, center, radius, sign)(control);
    };
    const double above = std::max(0.0, largest(1.0));
    return side == DiscrepancySide::both ? std::max(above, largest(-1.0)) : above;
}

}  // namespace dpadapt
