#include "privacy/privacy_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "privacy/accountant.hpp"
#include "privacy/permute_and_flip.hpp"

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

constexpr double kRoundoff = 0x1p-52;

double raised(double value, std::size_t operations) {
    return value * (1.0 + kRoundoff * static_cast<double>(operations + 8));
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

LossDistribution::LossDistribution(double step, std::int64_t first, std::vector<double> mass,
                                   double infinite, double slack)
    : step_(step), first_(first), mass_(std::move(mass)), infinite_(infinite), slack_(slack) {}

LossDistribution LossDistribution::operator+(const LossDistribution &other) const {
    std::vector<double> sum(mass_.size() + other.mass_.size() - 1, 0.0);
    for (std::size_t i = 0; i < mass_.size(); ++i)
        for (std::size_t j = 0; j < other.mass_.size(); ++j)
            sum[i + j] += mass_[i] * other.mass_[j];
    for (double &mass : sum) mass = raised(mass, mass_.size());
    return {step_, first_ + other.first_, std::move(sum), raised(infinite_ + other.infinite_, 0),
            slack_ + other.slack_};
}

void LossDistribution::coarsen() {
    // a + b = 1 and a e^step + b e^-step = 1: P and Q keep their mass.
    const double below = exponential(-step_);
    const double up = 1.0 / (1.0 + below);
    const double down = below / (1.0 + below);
    const std::int64_t begin = first_ >= 0 ? first_ / 2 : -((1 - first_) / 2);
    const std::int64_t last = first_ + static_cast<std::int64_t>(mass_.size()) - 1;
    const std::int64_t end = last >= 0 ? (last + 1) / 2 : -(-last / 2);
    std::vector<double> coarse(static_cast<std::size_t>(end - begin + 1), 0.0);
    for (std::size_t k = 0; k < mass_.size(); ++k) {
        const std::int64_t place = first_ + static_cast<std::int64_t>(k) - 2 * begin;
        const auto at = static_cast<std::size_t>(place / 2);
        if (place % 2 == 0) {
            coarse[at] += mass_[k];
        } else {
            coarse[at] += down * mass_[k];
            coarse[at + 1] += up * mass_[k];
        }
    }
    for (double &mass : coarse) mass = raised(mass, 4);
    mass_ = std::move(coarse);
    first_ = begin;
    step_ *= 2.0;
}

void LossDistribution::cut(double tail) {
    std::size_t top = mass_.size();
    double above = 0.0;
    while (top > 1 && above + mass_[top - 1] <= tail) above += mass_[--top];
    infinite_ = raised(infinite_ + above, mass_.size());
    mass_.resize(top);
    std::size_t bottom = 0;
    double below = 0.0;
    while (bottom + 1 < top && below + mass_[bottom] <= tail) below += mass_[bottom++];
    mass_[bottom] = raised(mass_[bottom] + below, mass_.size());
    mass_.erase(mass_.begin(), mass_.begin() + static_cast<std::ptrdiff_t>(bottom));
    first_ += static_cast<std::int64_t>(bottom);
}

std::vector<double> LossDistribution::curve() const {
    // delta(l) = sum of mass (1 - e^(l - loss)) over losses above l, so it grows from one place to
    // the one below by (1 - e^-step) times the sum of mass e^(place - loss) from the place on.
    const double less = exponential(-step_);
    const double gain = -exponential_minus_one(-step_);
    std::vector<double> delta(mass_.size());
    double above = infinite_;
    double weighed = 0.0;
    for (std::size_t k = mass_.size(); k-- > 0;) {
        delta[k] = raised(above, 8 * (mass_.size() - k));
        weighed = mass_[k] + less * weighed;
        above += gain * weighed;
    }
    return delta;
}

}  // namespace dpadapt::privacy
