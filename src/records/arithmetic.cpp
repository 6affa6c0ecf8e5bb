#include "records/arithmetic.hpp"

#include <cmath>
#include <cstring>

#include "base/multiversion.hpp"

namespace dpadapt::records {

namespace {

// In vectors: plain loops, where out may be x, become steps of one number.
constexpr std::size_t kLanes = 8;
using Reals = double __attribute__((vector_size(kLanes * sizeof(double))));

__attribute__((always_inline)) inline void read(const double *from, Reals &to) {
    std::memcpy(&to, from, sizeof to);
}

DPA_MULTIVERSION
double product_of(const double *a, const double *b, std::size_t n) {
    Reals lanes{};
    std::size_t k = 0;
    for (Reals of_a, of_b; k + kLanes <= n; k += kLanes) {
        read(a + k, of_a);
        read(b + k, of_b);
        lanes += of_a * of_b;
    }
    double sum = 0.0;
    for (; k < n; ++k) sum += a[k] * b[k];
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += lanes[lane];
    return sum;
}

DPA_MULTIVERSION
double centered(std::size_t n, const double *x, const double *center, const double *scale,
                double *out) {
    Reals sizes{};
    double sum = 0.0;
    std::size_t j = 0;
    for (; j + kLanes <= n; j += kLanes) {
        Reals value;
        Reals middle;
        Reals factor;
        read(x + j, value);
        read(center + j, middle);
        read(scale + j, factor);
        sizes += value < 0.0 ? -value : value;
        value = factor * (value - middle);
        std::memcpy(out + j, &value, sizeof value);
    }
    for (; j < n; ++j) {
        sum += std::abs(x[j]);
        out[j] = scale[j] * (x[j] - center[j]);
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += sizes[lane];
    return sum;
}

DPA_MULTIVERSION
void add_times(double factor, const double *column, std::size_t n, double *to) {
    for (std::size_t k = 0; k < n; ++k) to[k] += factor * column[k];
}

// Whoever reads out in such vectors need not wait for the stores of smaller ones.
DPA_MULTIVERSION
void times(double factor, const double *vector, std::size_t n, double *out) {
    std::size_t k = 0;
    for (Reals value; k + kLanes <= n; k += kLanes) {
        read(vector + k, value);
        value *= factor;
        std::memcpy(out + k, &value, sizeof value);
    }
    for (; k < n; ++k) out[k] = factor * vector[k];
}

}  // namespace

double product(const double *a, const double *b, std::size_t n) {
    return by_processor<product_of>(a, b, n);
}

double center_and_scale(std::size_t n, const double *x, const double *center, const double *scale,
                        double *out) {
    return by_processor<centered>(n, x, center, scale, out);
}

void add_column(double factor, const double *column, std::size_t n, double *to) {
    by_processor<add_times>(factor, column, n, to);
}

void multiply(double factor, const double *vector, std::size_t n, double *out) {
    by_processor<times>(factor, vector, n, out);
}

void scale_within(std::span<double> vector, double factor, double most) {
    double square = 0.0;
    for (const double value : vector) square += value * value;
    const double length = factor * std::sqrt(square);
    if (length > most) factor *= most / length;
    for (double &value : vector) value *= factor;
}

double factor_within(double norm, double factor, double most) {
    const double length = std::abs(factor) * norm;
    return length > most ? factor * (most / length) : factor;
}

Coordinates coordinates_of(const PrivateProblem &problem, arma::mat map) {
    const Preprocess &learnt = problem.preprocess();
    return {learnt.center(),
            learnt.scale(),
            learnt.basis().is_empty() ? learnt.whitening() : arma::mat(learnt.basis().t()),
            learnt.has_intercept(),
            learnt.label_center(),
            problem.record_clipping(),
            problem.hidden(),
            std::move(map),
            problem.weight_bound()};
}

}  // namespace dpadapt::records
