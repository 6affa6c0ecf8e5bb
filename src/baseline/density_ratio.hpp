#pragma once

#include <cstdint>

#include "baseline/kernel.hpp"
#include "baseline/weights.hpp"

namespace dpadapt::baseline {

/** w(x) = sum_l coefficients_l k(x, c_l), defined for every row x. */
struct DensityRatio {
    Points centers;    ///< less the origin
    arma::vec origin;  ///< in preprocessed coordinates
    arma::vec coefficients;
    double gamma = 0.0;

    /** w of every row. */
    [[nodiscard]] std::vector<double> values(const PreparedSample &rows, std::size_t threads) const;
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
