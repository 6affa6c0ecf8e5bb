#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace dpadapt {

/** The rows of one sample as their weights see them: a cost c_i each, and a weight of at most p,
 *  or p times what the user's weights say, in units of their mean. */
struct PricedRows {
    std::span<const double> cost;
    double p = 0.0;
    const double *relative = nullptr;

    [[nodiscard]] double factor(std::size_t i) const {
        return relative == nullptr ? 1.0 : relative[i];
    }
    [[nodiscard]] double reference(std::size_t i) const { return p * factor(i); }

    /** Of all rows. */
    [[nodiscard]] double largest_reference() const {
        return relative == nullptr || cost.empty()
                   ? p
                   : p * *std::max_element(relative, relative + cost.size());
    }
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
