#pragma once

#include <limits>
#include <span>

#include "objective/weights.hpp"

namespace dpadapt {

/** The convex rule where kappa_2 = 0 and all rows of a sample have the same reference weight: the
 *  share is min(most, sqrt(kappa_1/c)), most <= 1. Written so that compilers use vector
 *  instructions. */
struct AlikeRule {
    double kappa_1;  ///< positive
    double most;     ///< positive

    /** Largest cost at which a share is the largest. */
    [[nodiscard]] double bound() const { return kappa_1 / (most * most); }
};

struct AlikeWeights {
    double value = 0.0;    ///< the sum over the rows of x c + kappa_1 (1/x - 1)
    double largest = 0.0;  ///< weight
};
/** Writes p times each share. */
AlikeWeights weigh_alike(const AlikeRule &rule, std::span<const double> cost, double p, double *q);

/** Takes from the curvature of each free row what its falling share takes away, down to this part
 *  of it; see WeightedObjective::curvature. */
void reduce_alike(const AlikeRule &rule, double floor, std::span<const double> cost,
                  const double *slope, double *curvature);

struct AlikeSums {
    double below = 0.0;  ///< sum of bound() - c over rows that are not above it
    double count = 0.0;  ///< of these rows
    /// least cost, infinite without rows
    double least = std::numeric_limits<double>::infinity();
};
[[nodiscard]] AlikeSums sum_alike(const AlikeRule &rule, std::span<const double> cost);

}  // namespace dpadapt
