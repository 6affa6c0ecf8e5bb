#include "records/arithmetic.hpp"

#include <cmath>

#include "base/multiversion.hpp"

namespace dpadapt::records {

DPA_MULTIVERSION
double product(const double *a, const double *b, std::size_t n) {
    constexpr std::size_t kLanes = 8;
    double lanes[kLanes] = {};
    std::size_t k = 0;
    for (; k + kLanes <= n; k += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[k + lane] * b[k + lane];
    double sum = 0.0;
    for (; k < n; ++k) sum += a[k] * b[k];
    for (const double lane : lanes) sum += lane;
    return sum;
}

DPA_MULTIVERSION
double center_and_scale(std::size_t n, const double *x, const double *center, const double *scale,
                        double *out) {
    constexpr std::size_t kLanes = 8;
    double sizes[kLanes] = {};
    double sum = 0.0;
    std::size_t j = 0;
    for (; j + kLanes <= n; j += kLanes) {
        double of_x[kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane) of_x[lane] = x[j + lane];
        for (std::size_t lane = 0; lane < kLanes; ++lane) sizes[lane] += std::abs(of_x[lane]);
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            out[j + lane] = scale[j + lane] * (of_x[lane] - center[j + lane]);
    }
    for (; j < n; ++j) {
        sum += std::abs(x[j]);
        out[j] = scale[j] * (x[j] - center[j]);
    }
    for (const double size : sizes) sum += size;
    return sum;
}

DPA_MULTIVERSION
void add_column(double factor, const double *column, std::size_t n, double *to) {
    for (std::size_t k = 0; k < n; ++k) to[k] += factor * column[k];
}

void scale_within(std::span<double> vector, double factor, double most) {
    double square = 0.0;
    for (const double value : vector) square += value * value;
    const double length = factor * std::sqrt(square);
    if (length > most) factor *= most / length;
    for (double &value : vector) value *= factor;
}

void write_within(std::span<const double> vector, double norm, double factor, double most,
                  double *out) {
    const double length = std::abs(factor) * norm;
    if (length > most) factor *= most / length;
    for (std::size_t k = 0; k < vector.size(); ++k) out[k] = factor * vector[k];
}

}  // namespace dpadapt::records
