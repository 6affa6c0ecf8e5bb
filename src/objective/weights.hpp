#pragma once

#include <limits>
#include <span>
#include <vector>

namespace dpadapt {

/** The rows of one sample as their weights see them: a cost c_i each, and a weight of at most p. */
struct PricedRows {
    std::span<const double> cost;
    double p = 0.0;
};

/** What couples the weights of different rows: given these two numbers each weight follows from its
 *  own cost. */
struct WeightScalars {
    double s = 0.0;  ///< ||q||_2
    /// of the convex penalty max q; of the linear one log sum exp(mu q_i)
    double t = std::numeric_limits<double>::infinity();
};

/** The weights that minimize the objective for given costs. */
struct BestWeights {
    std::vector<double> q;  ///< rows of the samples one after another
    WeightScalars scalars;
    double value = 0.0;  ///< the minimum
};

}  // namespace dpadapt
