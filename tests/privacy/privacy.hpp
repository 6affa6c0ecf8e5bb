// What the tests of the accountant share: how close to the exact value, and on which side.
#pragma once

#include "core/core.hpp"
#include "privacy/accountant.hpp"

namespace dpadapt::privacy {

/** Smallest noise of one Gaussian release of sensitivity 1, as callers have it from mu. */
inline double sigma(double epsilon, double delta) {
    double sigma = 1.0 / mu(epsilon, delta, {});
    while (privacy::delta(epsilon, {0.0, 1.0 / sigma}) > delta)
        sigma = std::nextafter(sigma, 1e300);  // rounding errors of the curve are not monotone
    return sigma;
}

}  // namespace dpadapt::privacy

/** Relative width of the documented rounding; the exact value is inside it. */
inline double tolerance(double epsilon, double laplace_epsilon, double mu) {
    if (mu == 0.0) return 1e-12;
    const double a = (std::abs(epsilon) - laplace_epsilon) / mu;
    const double tail = 1.0 + a * a + mu * mu + (1.0 + a) / mu;
    return std::max(1e-12, 0x1p-45 * (a >= 0.5 * mu ? tail : 1.0 + 1.0 / mu));
}

/** exact <= value <= exact (1 + rtol) */
inline void check_above(const std::string &what, double value, double exact, double rtol) {
    if (value >= exact && value <= exact * (1.0 + rtol)) return;
    ++failures;
    std::fprintf(stderr, "failed: %s: %.17g is not just above %.17g\n", what.c_str(), value, exact);
}

/** exact (1 - rtol) <= value <= exact */
inline void check_below(const std::string &what, double value, double exact, double rtol) {
    if (value <= exact && value >= exact * (1.0 - rtol)) return;
    ++failures;
    std::fprintf(stderr, "failed: %s: %.17g is not just below %.17g\n", what.c_str(), value, exact);
}
