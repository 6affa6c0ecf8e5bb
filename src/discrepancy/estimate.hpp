#pragma once

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

}  // namespace dpadapt
