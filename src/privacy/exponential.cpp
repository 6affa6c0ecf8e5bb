#include "privacy/exponential.hpp"

#include <cmath>

namespace dpadapt::privacy {
namespace {

constexpr double kLeast = -745.2;  // e^x rounds to 0 below
constexpr double kMost = 709.78;   // and to infinity above
constexpr double kInverseLog2 = 1.44269504088896340736;
// log 2 in two parts: the first has so few bits that its multiples are exact.
constexpr double kHighLog2 = 0x1.62e42feep-1;
constexpr double kLowLog2 = 0x1.a39ef35793c76p-33;

/** e^r - 1 by its series, for |r| <= 0.35: what is left out is below 2^-60 of it. */
double series(double r) noexcept {
    constexpr int kTerms = 14;
    double sum = 1.0 / (kTerms + 1);
    for (int k = kTerms; k > 1; --k) sum = (1.0 + r * sum) / k;
    // sum is (e^r - 1 - r)/r^2 but for the last division: e^r - 1 = r + r^2 sum.
    return r + r * r * sum;
}

}  // namespace

double exponential(double x) noexcept {
    if (std::isnan(x)) return x;
    if (x < kLeast) return 0.0;
    if (x > kMost) return HUGE_VAL;
    const double k = std::nearbyint(x * kInverseLog2);
    const double high = x - k * kHighLog2;  // exact
    const double r = high - k * kLowLog2;
    return std::ldexp(1.0 + series(r), static_cast<int>(k));
}

double exponential_minus_one(double x) noexcept {
    return std::abs(x) <= 0.35 ? series(x) : exponential(x) - 1.0;
}

}  // namespace dpadapt::privacy
