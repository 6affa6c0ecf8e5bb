#pragma once

#include <cstddef>

namespace dpadapt::evaluate {

struct Interval {
    double estimate = 0.0;
    double lower = 0.0;
    double upper = 0.0;
};

/** A mean over rows, as it is known: with what noise, and with what variance of a row. */
struct Mean {
    double value = 0.0;
    double noise = 0.0;           ///< standard deviation of the noise of the value
    double variance = 0.0;        ///< of a row; may be negative where noise made it so
    double variance_noise = 0.0;  ///< standard deviation of the noise of the variance
    double low = 0.0;             ///< what no mean is below
    double high = 0.0;            ///< or above
};

/** z of a normal distribution such that |Z| <= z has that probability. */
[[nodiscard]] double two_sided_quantile(double confidence);

/** value +- z deviation, within its bounds. */
[[nodiscard]] Interval interval(double value, double deviation, double low, double high,
                                double confidence);

/** The mean of the population: noise and sampling together. The variance is taken one deviation of
 *  its noise too large: too small ones cost more coverage than too large ones add. */
[[nodiscard]] Interval interval(const Mean &mean, std::size_t rows, double confidence);

}  // namespace dpadapt::evaluate
