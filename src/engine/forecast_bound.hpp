#pragma once

#include "paper/learning_bound.hpp"
#include "solution/solution.hpp"

namespace dpadapt::engine {

/** The paper's learning bound of a fit, and what it is about. */
struct BoundedLoss {
    paper::LearningBound bound;
    double loss = 0.0;     ///< mean loss of the fit on the whole target
    double trivial = 0.0;  ///< of the predictor that ignores the features: all coordinates are zero

    /** Whether a predictor that has learnt nothing is known to do as well. */
    [[nodiscard]] bool says_nothing() const { return !(bound.value < trivial); }
};

/** Learning bounds of fits to one imagined target. Losses are those of records that are clipped to
 *  `feature_radius` and `label_bound`, where these are none to quantiles of the source. */
class ForecastBounds {
  public:
    /** Borrows the samples. `population` is what the target was drawn from.
     *  @param n         How many rows the target stands for.
     *  @param quantile  Level of these quantiles. */
    ForecastBounds(const Sample &source, const Sample &target, const Sample &population, double n,
                   const Settings &settings, double quantile, Control &control);

    [[nodiscard]] BoundedLoss of(const Solution &solution);

  private:
    Settings settings_;
    PreparedProblem domains_;
    PreparedSample sample_;
    paper::LearningBounds bounds_;
};

/** Mean of each number. */
[[nodiscard]] BoundedLoss mean_bound(const std::vector<BoundedLoss> &bounds);

}  // namespace dpadapt::engine
