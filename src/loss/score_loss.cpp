#include "loss/score_loss.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/error.hpp"
#include "base/multiversion.hpp"
#include "linalg/arma.hpp"
#include "linalg/kernels.hpp"

namespace dpadapt::loss {

std::size_t ScoreLoss::parameters(std::size_t features) const { return features * outputs(); }

void ScoreLoss::scores(const Block &block, std::span<const double> theta,
                       std::span<double> scores) const {
    const linalg::MatrixView x{block.x, block.rows, block.features, block.features, true};
    for (std::size_t k = 0; k < outputs(); ++k)
        linalg::row_products(x, theta.data() + k * block.features, 0, block.rows,
                             scores.data() + k * block.rows);
}

/** The gradient of l(W'x) by column k of W is dl/ds_k x. */
void ScoreLoss::evaluate(const Block &block, std::span<const double> theta,
                         std::span<double> losses, std::span<double> gradients) const {
    const std::size_t n = block.rows;
    std::vector<double> score(n * outputs());
    std::vector<double> slope(gradients.empty() ? 0 : score.size());
    scores(block, theta, score);
    slopes(n, score.data(), block.label, losses.data(), slope.empty() ? nullptr : slope.data());
    if (gradients.empty()) return;
    double *out = gradients.data();
    for (std::size_t i = 0; i < n; ++i) {
        const double *x = block.x + i * block.features;
        for (std::size_t k = 0; k < outputs(); ++k)
            for (std::size_t j = 0; j < block.features; ++j) *out++ = slope[k * n + i] * x[j];
    }
}

/** Of several scores two products of matrices: X W, and X' times the weighted slopes. */
void ScoreLoss::add_gradients(const Block &block, std::span<const double> theta,
                              std::span<double> losses, const Weights &weights,
                              std::span<double> sum) const {
    if (outputs() == 1) return Loss::add_gradients(block, theta, losses, weights, sum);
    const arma::mat x(block.x, block.features, block.rows);
    const arma::mat score = x.t() * arma::mat(theta.data(), block.features, outputs());
    arma::mat slope(arma::size(score));
    slopes(block.rows, score.memptr(), block.label, losses.data(), slope.memptr());
    slope.each_col() %= arma::vec(weights(losses), block.rows);
    arma::mat total(sum.data(), block.features, outputs(), false, true);
    total += x * slope;
}

void ScoreLoss::diagonals(std::size_t n, const double *score, const double *label,
                          double *out) const {
    std::vector<double> image(n * outputs());
    for (std::size_t k = 0; k < outputs(); ++k) {
        std::vector<double> direction(n * outputs(), 0.0);
        std::fill_n(direction.data() + k * n, n, 1.0);
        curvatures(n, score, label, direction.data(), image.data());
        std::copy_n(image.data() + k * n, n, out + k * n);
    }
}

/** ||W'x|| <= Lambda R; the derivatives by W are those by s times x, and x x' for each pair of
 *  classes. */
Bounds ScoreLoss::bounds(const Range &range) const {
    const double r = range.feature_radius;
    const Bounds by_score = score_bounds(range.radius * r, range.label_bound);
    return {by_score.value, by_score.lipschitz * r, by_score.smoothness * r * r};
}

void ScoreLoss::predict(std::size_t n, const double *score, double *prediction) const {
    std::copy_n(score, n, prediction);
}

void ScoreLoss::probabilities(std::size_t /*n*/, const double * /*score*/, double * /*out*/) const {
    throw Error(DPA_E_UNSUPPORTED, "a loss without classes has no probabilities");
}

// The reductions and polynomials are those of fdlibm (e_exp.c and s_log1p.c, Sun Microsystems
// 1993), written without branches.
namespace {

constexpr double kLn2High =
    6.93147180369123816490e-01;  // so short that products with integers are exact
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kShift = 0x1.8p52;  // adding it rounds to an integer, found in the lowest bits

/** condition ? a : b without a branch, which compilers would keep: a comparison may trap. */
inline double select(bool condition, double a, double b) {
    const std::uint64_t mask = -static_cast<std::uint64_t>(condition);
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & mask) |
                                 (std::bit_cast<std::uint64_t>(b) & ~mask));
}

/** 2^k for kd = k + kShift, |k| < 1023. */
inline double power_of_two(double kd) {
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(kd) + 1023) << 52);
}

/** e^x = 2^k (1 + rest), |rest| < 0.42; the rest is accurate where it is small, too. */
struct Exponential {
    double k;
    double rest;
};

inline Exponential reduce(double x) {
    constexpr double kInverseLn2 = 1.44269504088896338700e+00;
    const double k = (x * kInverseLn2 + kShift) - kShift;
    const double high = x - k * kLn2High;
    const double low = k * kLn2Low;
    const double r = high - low;
    const double t = r * r;
    const double c =
        r - t * (1.66666666666666019037e-01 +
                 t * (-2.77777777770155933842e-03 +
                      t * (6.61375632143793436117e-05 +
                           t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    return {k, high - (low - (r * c) / (2.0 - c))};
}

inline double exp_of(double x) {
    const double above = select(x < -746.0, -746.0, x);
    const double inside = select(above > 710.0, 710.0, above);
    const Exponential e = reduce(inside);
    const double half = (e.k * 0.5 + kShift) - kShift;
    // In two factors: 2^k itself may be no normal number where the result is one, or is rounded
    // once.
    return (1.0 + e.rest) * power_of_two(half + kShift) * power_of_two((e.k - half) + kShift);
}

/** k log 2 + log(1 + f) + correction, sqrt(1/2) <= 1 + f <= sqrt(2). */
inline double log_of(double k, double f, double correction) {
    const double half_square = 0.5 * f * f;
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double series =
        z * (6.666666666666735130e-01 +
             z * (3.999999999940941908e-01 +
                  z * (2.857142874366239149e-01 +
                       z * (2.222219843214978396e-01 +
                            z * (1.818357216161805012e-01 +
                                 z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01))))));
    const double tail = s * (half_square + series) + (k * kLn2Low + correction);
    return k * kLn2High - ((half_square - tail) - f);
}

/** For x >= 0: 1 + x = 2^k (1 + f) in floating point, and what the sum has lost is made up for. */
inline double log1p_of(double x) {
    constexpr std::uint64_t kRootHalf = 0x3fe6a09e667f3bcd;  // bits of sqrt(1/2)
    constexpr std::uint64_t kOne = 0x3ff0000000000000;
    const double w = 1.0 + x;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(w) + (kOne - kRootHalf);
    const double k = std::bit_cast<double>((bits >> 52) | 0x4330000000000000) - (0x1p52 + 1023.0);
    const double m = std::bit_cast<double>((bits & 0x000fffffffffffff) + kRootHalf);
    const double lost = select(x >= 1.0, 1.0 - (w - x), x - (w - 1.0));
    return log_of(k, select(k == 0.0, x, m - 1.0), select(k == 0.0, 0.0, lost / w));
}

inline double log_of(double x) {
    const double size = log1p_of(select(x < 1.0, 1.0 / x, x) - 1.0);
    return select(x < 1.0, -size, size);
}

/** With u = e^-|x|. For u > sqrt(2) - 1 it is log 2 + log(1 + (u - 1) / 2), whose argument is all
 *  but exact. */
inline double log1p_exp_from(double x, double u) {
    const bool large = u > 0x1.a827999fcef32p-2;
    const double rest = log_of(select(large, 1.0, 0.0), select(large, 0.5 * (u - 1.0), u), 0.0);
    return select(x < 0.0, 0.0, x) + rest;
}

inline double logistic_from(double x, double u) { return select(x < 0.0, u, 1.0) / (1.0 + u); }

inline double log1p_exp_of(double x) { return log1p_exp_from(x, exp_of(-std::abs(x))); }

inline double logistic_of(double x) { return logistic_from(x, exp_of(-std::abs(x))); }

inline double tanh_of(double x) {
    const double size = std::abs(x);
    const Exponential e = reduce(-2.0 * select(size > 20.0, 20.0, size));
    const double power = power_of_two(e.k + kShift);
    const double expm1 = power * e.rest + (power - 1.0);
    return std::copysign(expm1 / (2.0 + expm1), x);
}

/** A block of constant length on the stack: loops over it are vectorised without a look at
 *  aliasing, and those who fill up the last one see the same operations. */
constexpr std::size_t kTile = 16;
#define DPA_ELEMENTWISE(function)                                       \
    DPA_MULTIVERSION                                                    \
    void each_##function(std::size_t n, const double *x, double *out) { \
        for (std::size_t i = 0; i < n; i += kTile) {                    \
            const std::size_t count = std::min(kTile, n - i);           \
            double tile[kTile] = {};                                    \
            std::copy_n(x + i, count, tile);                            \
            for (double &value : tile) value = function##_of(value);    \
            std::copy_n(tile, count, out + i);                          \
        }                                                               \
    }

DPA_ELEMENTWISE(exp)
DPA_ELEMENTWISE(log1p)
DPA_ELEMENTWISE(log)
DPA_ELEMENTWISE(log1p_exp)
DPA_ELEMENTWISE(logistic)
DPA_ELEMENTWISE(tanh)

DPA_MULTIVERSION
void value_and_slope(std::size_t n, const double *x, double *value, double *slope) {
    for (std::size_t i = 0; i < n; i += kTile) {
        const std::size_t count = std::min(kTile, n - i);
        double first[kTile] = {};
        double second[kTile];
        std::copy_n(x + i, count, first);
        for (std::size_t k = 0; k < kTile; ++k) {
            const double u = exp_of(-std::abs(first[k]));
            second[k] = logistic_from(first[k], u);
            first[k] = log1p_exp_from(first[k], u);
        }
        std::copy_n(first, count, value + i);
        std::copy_n(second, count, slope + i);
    }
}

}  // namespace

void exp(std::size_t n, const double *x, double *out) { by_processor<each_exp>(n, x, out); }
void log1p(std::size_t n, const double *x, double *out) { by_processor<each_log1p>(n, x, out); }
void log(std::size_t n, const double *x, double *out) { by_processor<each_log>(n, x, out); }
void log1p_exp(std::size_t n, const double *x, double *out) {
    by_processor<each_log1p_exp>(n, x, out);
}
void logistic(std::size_t n, const double *x, double *out) {
    by_processor<each_logistic>(n, x, out);
}
void tanh(std::size_t n, const double *x, double *out) { by_processor<each_tanh>(n, x, out); }

void log1p_exp_and_logistic(std::size_t n, const double *x, double *value, double *slope) {
    by_processor<value_and_slope>(n, x, value, slope);
}

}  // namespace dpadapt::loss
