#include "evaluate/interval.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt::evaluate {

double two_sided_quantile(double confidence) {
    double low = 0.0;
    double high = 40.0;
    for (int step = 0; step < 100; ++step) {
        const double z = 0.5 * (low + high);
        (std::erfc(z * M_SQRT1_2) > 1.0 - confidence ? low : high) = z;
    }
    return high;
}

Interval interval(double value, double deviation, double low, double high, double confidence) {
    const double half = two_sided_quantile(confidence) * deviation;
    return {std::clamp(value, low, high), std::clamp(value - half, low, high),
            std::clamp(value + half, low, high)};
}

Interval interval(const Mean &mean, std::size_t rows, double confidence) {
    constexpr double kCaution = 1.0;
    const double variance = std::max(0.0, mean.variance + kCaution * mean.variance_noise);
    // mutant: noise_left_out_of_the_interval
    const double square = mean.noise * mean.noise + variance / static_cast<double>(rows);
    return interval(mean.value, std::sqrt(square), mean.low, mean.high, confidence);
}

}  // namespace dpadapt::evaluate
