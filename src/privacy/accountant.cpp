#include "privacy/accountant.hpp"

#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt::privacy {

namespace {

constexpr double kMostEpsilon = 600.0;
constexpr double kMostMu = 50.0;
constexpr double kLeastDelta = 1e-300;

[[noreturn]] void reject(const std::string &message) {
    throw Error(DPA_E_INVALID_ARGUMENT, message);
}

/** NaN is outside every range. */
void check_range(const char *name, double value, double least, double most) {
    if (value >= least && value <= most) return;
    reject(std::string(name) + " must be in [" + to_text(least) + ", " + to_text(most) +
           "], but is " + to_text(value));
}

void check_delta(double delta) {
    if (delta == 0.0 || (delta >= kLeastDelta && delta < 1.0)) return;
    reject("delta must be 0 or in [1e-300, 1), but is " + to_text(delta));
}

void check_totals(const Totals &totals) {
    check_range("laplace_epsilon", totals.laplace_epsilon, 0.0, kMostPureEpsilon);
    check_range("mu", totals.mu, 0.0, kMostMu);
    check_range("pure_epsilon", totals.pure_epsilon, 0.0, kMostPureEpsilon);
}

/** Halves the gap between a value that holds and one that does not until they are neighbours;
 *  returns the one that holds. */
double bisect(double good, double bad, auto holds) {
    for (;;) {
        const double middle = good + 0.5 * (bad - good);
        // mutant: wrong_end_of_a_bisection
        if (middle == good || middle == bad) return good;
        (holds(middle) ? good : bad) = middle;
    }
}

/** What a failure leaves of delta, by so much less that no rounding matters. */
double delta_beside(double delta, double failure) {
    return std::max(0.0, (delta - failure) * (1.0 - 0x1p-40));
}

constexpr double kCoefficients[] = {
    1.17748320053744869863,      -7.26079662030190047836e-3,  -8.12651232361849978580e-2,
    6.00921280412222499974e-2,   -2.87539355802766602710e-2,  1.05956633634728600140e-2,
    -3.13692729455426423827e-3,  7.45649437253618404312e-4,   -1.36969650301005406814e-4,
    1.71838616003009371129e-5,   -7.15836462345034686333e-7,  -2.42613994424495320144e-7,
    5.57657093957035640393e-8,   -2.10578695138094948135e-9,  -1.17178893518849568494e-9,
    1.90983551724566879201e-10,  1.40887176420881296646e-11,  -6.90110832048081495534e-12,
    9.16795836411129328616e-14,  2.14545082865545529912e-13,  -1.47165750270106242241e-14,
    -6.66867511877040792416e-15, 7.50459850988008302536e-16,  2.22009300666632003551e-16,
    -3.17048989563308883568e-17, -8.19357030988433233340e-18, 1.24598197331295743533e-18,
};

/** Clenshaw's recurrence: the sum of the coefficients times the Chebyshev polynomials at t. */
double chebyshev_sum(double t) noexcept {
    double next = 0.0;
    double after = 0.0;
    for (std::size_t k = std::size(kCoefficients) - 1; k > 0; --k) {
        const double value = 2.0 * t * next - after + kCoefficients[k];
        after = next;
        next = value;
    }
    return t * next - after + kCoefficients[0];
}

}  // namespace

double delta(double epsilon, const Totals &totals) {
    check_range("epsilon", epsilon, -kMostEpsilon, kMostEpsilon);
    check_totals(totals);
    return upper_delta(epsilon, totals);
}

bool holds(double epsilon, double delta, const Totals &totals) {
    check_range("epsilon", epsilon, -kMostEpsilon, kMostEpsilon);
    check_delta(delta);
    return totals.laplace_epsilon <= kMostPureEpsilon && totals.mu <= kMostMu &&
           totals.pure_epsilon <= kMostPureEpsilon && totals.failure <= 1.0 &&
           upper_delta(epsilon, totals) <= delta;
}

double epsilon(double delta, const Totals &totals) {
    check_delta(delta);
    check_totals(totals);
    if (totals.failure > 0.0) {
        Totals others = totals;
        others.failure = 0.0;
        return epsilon(delta_beside(delta, totals.failure), others);
    }
    const auto holds = [&](double epsilon) { return upper_delta(epsilon, totals) <= delta; };
    if (holds(0.0)) return 0.0;
    if (!holds(kMostEpsilon))
        reject("delta must be larger for an epsilon of at most 600, but is " + to_text(delta) +
               " (laplace_epsilon = " + to_text(totals.laplace_epsilon) +
               ", mu = " + to_text(totals.mu) + ")");
    return bisect(kMostEpsilon, 0.0, holds);
}

Totals totals_of_group(const Totals &totals, std::int64_t records) {
    if (records < 1) reject("records must be at least 1, but is " + std::to_string(records));
    const auto factor = static_cast<double>(records);
    const auto times = [&](double value) {
        const double product = value * factor;
        return std::fma(value, factor, -product) > 0.0
                   ? std::nextafter(product, std::numeric_limits<double>::infinity())
                   : product;
    };
    const double failure = totals.failure > 0.0 && records > 1 ? 1.0 : totals.failure;
    return {times(totals.laplace_epsilon), times(totals.mu), times(totals.pure_epsilon), failure};
}

std::optional<double> known_epsilon(double delta, const Totals &totals) {
    if (totals.failure > 0.0) {
        Totals others = totals;
        others.failure = 0.0;
        const double left = delta_beside(delta, totals.failure);
        return left < kLeastDelta ? std::nullopt : known_epsilon(left, others);
    }
    if (totals.laplace_epsilon + totals.pure_epsilon > kMostPureEpsilon) return std::nullopt;
    if (!holds(kMostEpsilon, delta, totals)) return std::nullopt;
    return epsilon(delta, totals);
}

double mu(double epsilon, double delta, const Totals &others) {
    check_range("epsilon", epsilon, 0.0, kMostEpsilon);
    check_delta(delta);
    Totals totals = others;
    const auto holds = [&](double mu) {
        totals.mu = mu;
        return upper_delta(epsilon, totals) <= delta;
    };
    totals.mu = 0.0;
    check_totals(totals);
    if (!holds(kLeastMu))
        reject("epsilon and delta must leave a mu of at least 1e-8, but are " + to_text(epsilon) +
               " and " + to_text(delta) + " (laplace_epsilon = " + to_text(others.laplace_epsilon) +
               ")");
    return bisect(kLeastMu, kMostMu, holds);
}

double erfcx(double x) noexcept { return chebyshev_sum((x - 4.0) / (x + 4.0)) / (1.0 + 2.0 * x); }

}  // namespace dpadapt::privacy
