#pragma once

#include <functional>

#include "discrepancy/difference.hpp"
#include "linalg/trust_region.hpp"
#include "problem/prepared_problem.hpp"

namespace dpadapt {

/** An estimate d with lower <= d <= upper, and the predictor that attains it. */
struct Discrepancy {
    double value = 0.0;
    double lower = 0.0;
    double upper = 0.0;
    Predictor maximizer;
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

}  // namespace dpadapt
