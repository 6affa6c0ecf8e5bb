#include "privacy/privacy_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "privacy/erfcx.hpp"
#include "privacy/exponential.hpp"

namespace dpadapt::privacy {
namespace {

constexpr double kSqrtHalf = 0.70710678118654752440;

/** Computed delta and the number that its rounding error is proportional to. */
struct Estimate {
    double delta = 0.0;
    double condition = 1.0;
};

/** Upper tail of the normal distribution times 2 e^(x^2/2), for x >= 0. */
double scaled_tail(double x) noexcept { return erfcx(kSqrtHalf * x); }

/** For x >= 0. */
double normal_distribution(double x) noexcept {
    return 1.0 - 0.5 * exponential(-0.5 * x * x) * scaled_tail(x);
}

/** The closed form for mu > 0 and epsilon >= 0, regrouped into two terms >= 0 so that differences
 *  are taken between scaled tails, never between almost equal tiny probabilities. */
Estimate laplace_with_gaussian(double epsilon, double laplace_epsilon, double mu) noexcept {
    const double a = (epsilon - laplace_epsilon) / mu;
    const double v = (epsilon + laplace_epsilon) / mu;
    const double t = a - 0.5 * mu;
    const double exponent = 0.5 * (epsilon - laplace_epsilon) - mu * mu / 8.0;
    const double far =
        0.5 * exponential(exponent - 0.5 * v * v) * (scaled_tail(v) - scaled_tail(v + 0.5 * mu));
    const double density = 0.5 * exponential(-0.5 * t * t);
    if (t >= 0.0)
        return {density * (scaled_tail(t) - scaled_tail(a)) + far,
                1.0 + a * a + mu * mu + (1.0 + a) / mu};
    const double near =
        a >= 0.0 ? density * scaled_tail(a) : exponential(exponent) * normal_distribution(-a);
    return {normal_distribution(-t) - near + far, 1.0 + 1.0 / mu};
}

Estimate estimate(double epsilon, double laplace_epsilon, double mu) noexcept {
    if (epsilon < 0.0) {
        // Exchanging the two neighbours: 1 - e^epsilon (1 - delta(-epsilon)), without cancellation.
        const Estimate mirrored = estimate(-epsilon, laplace_epsilon, mu);
        return {exponential(epsilon) * mirrored.delta - exponential_minus_one(epsilon),
                mirrored.condition};
    }
    if (mu > 0.0) return laplace_with_gaussian(epsilon, laplace_epsilon, std::max(mu, kLeastMu));
    return {std::max(0.0, -exponential_minus_one(0.5 * (epsilon - laplace_epsilon)))};
}

/** Adds four times the largest error that was measured against 90 digits. */
double raised_delta(double epsilon, const Totals &totals) noexcept {
    const Estimate result = estimate(epsilon, totals.laplace_epsilon, totals.mu);
    return result.delta * (1.0 + 0x1p-46 * result.condition);
}

/** a + b rounded down: the sign of the exact rounding error comes from Knuth's two-sum. */
double lower_sum(double a, double b) noexcept {
    const double sum = a + b;
    const double part = sum - a;
    const double error = (a - (sum - part)) + (b - part);
    return error < 0.0 ? std::nextafter(sum, -std::numeric_limits<double>::infinity()) : sum;
}

}  // namespace

double upper_delta(double epsilon, const Totals &totals) noexcept {
    if (totals.failure > 0.0) {
        Totals others = totals;
        others.failure = 0.0;
        // mutant: failure_not_counted
        return std::min(1.0, (upper_delta(epsilon, others) + totals.failure) * (1.0 + 0x1p-50));
    }
    const double pure = totals.pure_epsilon;
    double delta = 0.0;
    if (pure == 0.0) {
        delta = raised_delta(epsilon, totals);
    } else {
        // A pure release is dominated by randomized response with odds e^pure.
        const double likely = 1.0 / (1.0 + exponential(-pure));
        const double unlikely = 1.0 / (1.0 + exponential(pure));
        delta = (1.0 + 0x1p-50) * (likely * raised_delta(lower_sum(epsilon, -pure), totals) +
                                   unlikely * raised_delta(lower_sum(epsilon, pure), totals));
    }
    if (totals.mu == 0.0 && delta == 0.0) return 0.0;
    return std::min(1.0, delta + 0x1p-1000);  // covers underflow
}

}  // namespace dpadapt::privacy
