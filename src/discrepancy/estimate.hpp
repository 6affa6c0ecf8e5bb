#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "base/control.hpp"
#include "linalg/trust_region.hpp"
#include "problem/prepared_problem.hpp"
#include "problem/prepared_sample.hpp"

namespace dpadapt {

/** L_target - L_source around a centre w_0, as a function of x = w - w_0:
 *  x'Ax + 2 b.x + c with A = second, b = slope, c = constant. */
struct LossDifference {
    arma::mat second;
    arma::vec slope;
    double constant = 0.0;

    [[nodiscard]] double at(const arma::vec &x) const {
        return arma::dot(x, second * x) + 2.0 * arma::dot(slope, x) + constant;
    }
};

[[nodiscard]] LossDifference loss_difference(const Moments &target, const Moments &source,
                                             const arma::vec &center);

/** An estimate d with lower <= d <= upper, and the predictor that attains it. */
struct Discrepancy {
    double value = 0.0;
    double lower = 0.0;
    double upper = 0.0;
    Predictor maximizer;
    std::optional<double> labelled{};  ///< bound of the labelled one, if it is asked for
};

/** What counts of a difference of losses: its size, or by how much the target's is larger. */
[[nodiscard]] inline double counted(DiscrepancySide side, double difference) {
    return side == DiscrepancySide::both ? std::abs(difference) : std::max(0.0, difference);
}

/** With a bound besides the value itself, both up to rounding. */
[[nodiscard]] Discrepancy rounded(double value, double bound, double rounding);

/** What is known of a target without labels. */
struct UnseenLabels {
    const arma::vec &reference;  ///< a predictor
    double disagreement;      ///< most root mean squared difference of its predictions and labels
    const arma::mat &second;  ///< moments of the features
    double slack = 0.0;       ///< spectral distance of those from the target's own
};

/** Upper bound of the labelled discrepancy over all labels with which that is true. */
[[nodiscard]] double bound_labelled(const Moments &source, const UnseenLabels &target,
                                    const arma::vec &center, double radius, DiscrepancySide side,
                                    Control &control);

/** The ball over which a discrepancy is taken. */
struct DiscrepancyBall {
    arma::vec center;
    double radius = 0.0;
};

/** The discrepancy that the settings ask for, over the ball that they describe. */
[[nodiscard]] Discrepancy estimate_discrepancy(const PreparedProblem &problem,
                                               const Settings &settings, Control &control);

/** Centre of that ball; `fit` is that of the public sample, empty if there is none. */
[[nodiscard]] arma::vec center_of_ball(const Preprocess &preprocess, const arma::vec &fit,
                                       const Settings &settings);

/** Minimum of 1/2 x'Hx + g.x over a ball. */
using MinimizeInBall =
    std::function<linalg::TrustRegionMinimum(const linalg::Spectrum &h, const arma::vec &g)>;

/** The two trust-region problems of a discrepancy: of x'Ax + 2 b.x the minimum, and minus the
 *  maximum. They share one eigendecomposition, that of 2A. */
struct Extremes {
    linalg::Spectrum spectrum;
    linalg::TrustRegionMinimum least;
    linalg::TrustRegionMinimum most;
};

[[nodiscard]] Extremes find_extremes(const LossDifference &difference,
                                     const MinimizeInBall &minimize);

/** DCA (Tao and An, 1998) for the minimum of 1/2 x'Hx + g'x over ||x|| <= radius, as in the paper:
 *      x <- Proj( x - (Hx + g)/rho ),  rho >= largest eigenvalue of H, rho > 0.
 *  It stops at a KKT point, which need not be a minimum. Then, with multiplier lambda and u a
 *  direction of negative curvature of H + lambda I, the reflection x - 2 (u.x) u keeps the norm and
 *  lowers the value, and DCA starts again from there, until H + lambda I is positive semidefinite:
 *  a global minimum. */
[[nodiscard]] linalg::TrustRegionMinimum minimize_by_dca(const linalg::Spectrum &h,
                                                         const arma::vec &g, double radius,
                                                         Control &control);

}  // namespace dpadapt
