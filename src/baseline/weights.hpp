#pragma once

#include <cstdint>
#include <vector>

#include "baseline/kernel.hpp"
#include "solution/solution.hpp"

namespace dpadapt::baseline {

/** Weights of the source rows with the certificate of the problem that defines them. */
struct Weights {
    std::vector<double> q;     ///< q >= 0, sum 1
    double objective = 0.0;    ///< of the method's own problem
    double duality_gap = 0.0;  ///< bound on its distance to the optimum, up to rounding
    std::int64_t iterations = 0;
    Termination termination = Termination::converged;
};

/** When to stop: relative gap, iterations; and the threads of a pass. */
struct Limits {
    double tolerance = 1e-6;
    std::size_t iterations = 0;
    std::size_t threads = 1;
};

/** w(x) = sum_l coefficients_l k(x, c_l). */
struct DensityRatio {
    Points centers;
    arma::vec coefficients;
    double gamma = 0.0;
};

/** A ratio fitted, and the weights w(x_i) / sum of the source rows. */
struct RatioFit {
    Weights weights;
    DensityRatio ratio;
    double lambda = 0.0;  ///< of the penalty, where the method has one
};

/** At most `count` target points, drawn at random: different rows, so a repeated one is no second
 *  center. */
[[nodiscard]] Points draw_centers(const Points &target, std::size_t count, std::uint64_t seed);

/** The weights of the source rows; throws Error(DPA_E_NUMERICAL) when all are zero. */
[[nodiscard]] std::vector<double> source_weights(const Points &source, const DensityRatio &ratio,
                                                 std::size_t threads);

}  // namespace dpadapt::baseline
