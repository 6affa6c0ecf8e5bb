#include "privacy/sampled_gaussian.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "privacy/accountant.hpp"
#include "privacy/permute_and_flip.hpp"
#include "privacy/privacy_curve.hpp"

namespace dpadapt::privacy {
namespace {

constexpr std::size_t kPlaces = 512;
constexpr double kReach = 12.0;  // deviations beyond which all mass counts as infinite losses
constexpr double kMostSampledMu = 50.0;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/** P(Z > z). */
double upper_tail(double z) {
    if (z < 0.0) return 1.0 - upper_tail(-z);
    if (z > 36.0) return 0.0;
    return 0.5 * exponential(-0.5 * z * z) * erfcx(0.70710678118654752440 * z);
}

struct Interval {
    double mass = 0.0;
    double error = 0.0;  ///< of the computed mass, at most
};

Interval normal_mass(double from, double to) {
    constexpr double kError = 0x1p-46;
    if (from >= 0.0) {
        const double above = upper_tail(from);
        return {std::max(0.0, above - upper_tail(to)), kError * above};
    }
    if (to <= 0.0) return normal_mass(-to, -from);
    return {std::max(0.0, 1.0 - upper_tail(-from) - upper_tail(to)), kError};
}

/** Of a Gaussian release, rounded down. */
double lower_delta(double epsilon, double mu) {
    return upper_delta(epsilon, {0.0, mu}) * (1.0 - 0x1p-24) - 0x1p-900;
}

/** The two laws of one step on a line, and their loss, which grows with z or with -z. */
class Pair {
  public:
    Pair(double rate, double most, Neighbours neighbours, bool exchanged)
        : rate_(rate),
          most_(most),
          replaced_(neighbours == Neighbours::replace),
          exchanged_(exchanged) {}

    [[nodiscard]] Interval p(double from, double to) const {
        return exchanged_ ? mixture(from, to, replaced_ ? -most_ : 0.0) : mixture(from, to, most_);
    }
    [[nodiscard]] Interval q(double from, double to) const {
        return exchanged_ ? mixture(from, to, most_) : mixture(from, to, replaced_ ? -most_ : 0.0);
    }

    /** log of P with the record over Q without or with another; grows with z. */
    [[nodiscard]] double ratio(double z) const {
        const double half = 0.5 * most_ * most_;
        return shifted(most_ * z - half) - (replaced_ ? shifted(-most_ * z - half) : 0.0);
    }

    /** Where the ratio is that; -inf or inf where it is never. */
    [[nodiscard]] double place(double loss) const {
        const double half = 0.5 * most_ * most_;
        if (rate_ == 1.0) return replaced_ ? 0.5 * loss / most_ : (loss + half) / most_;
        if (!replaced_) {
            const double inside = std::expm1(loss) / rate_;
            return inside <= -1.0 ? -kInfinity : (std::log1p(inside) + half) / most_;
        }
        // With u = e^(most z) and c = q e^-half: c u^2 + (1 - q)(1 - e^loss) u - c e^loss = 0.
        if (loss < 0.0) return -place(-loss);
        const double c = rate_ * std::exp(-half);
        const double b = 0.5 * (1.0 - rate_) * std::expm1(loss);
        return std::log((b + std::sqrt(b * b + c * c * std::exp(loss))) / c) / most_;
    }

    [[nodiscard]] double most() const { return most_; }
    [[nodiscard]] bool exchanged() const { return exchanged_; }

  private:
    [[nodiscard]] double shifted(double exponent) const {
        if (rate_ == 1.0) return exponent;  // whose power would be lost beside -1
        return std::log1p(rate_ * std::expm1(exponent));
    }
    [[nodiscard]] Interval mixture(double from, double to, double shift) const {
        const Interval without = normal_mass(from, to);
        const Interval with = normal_mass(from - shift, to - shift);
        return {(1.0 - rate_) * without.mass + rate_ * with.mass,
                (1.0 - rate_) * without.error + rate_ * with.error};
    }

    double rate_;
    double most_;
    bool replaced_;
    bool exchanged_;
};

/** Of one step: the mass between two places goes to both, so that P and Q keep theirs. Places are
 *  computed by the platform's logarithms, so losses may exceed them a little: that is the slack. */
LossDistribution loss_of_step(const Pair &pair, double tail) {
    const auto loss = [&](double z) { return pair.exchanged() ? -pair.ratio(z) : pair.ratio(z); };
    // Beyond these places there is less than `tail` of P on either side.
    double reach = kReach;
    while (reach > 1.0 && 2.0 * upper_tail(reach - 0.25) < tail) reach -= 0.25;
    const double low = pair.exchanged() ? reach : -reach - pair.most();
    const double high = pair.exchanged() ? -reach - pair.most() : reach + pair.most();
    const double least = loss(low);
    const double step = (loss(high) - least) / static_cast<double>(kPlaces);
    if (!std::isfinite(step) || !(step > 0.0)) return {1.0, 0, {0.0}, 1.0, 0.0};  // no promise
    const auto first = static_cast<std::int64_t>(std::floor(least / step));
    const auto at = [&](std::int64_t k) {
        const double value = step * static_cast<double>(k);
        return pair.place(pair.exchanged() ? -value : value);
    };
    std::vector<double> mass(kPlaces + 3, 0.0);
    const auto interval = [&](const auto &of, double a, double b) {
        return (pair.*of)(std::min(a, b), std::max(a, b));
    };
    const double far = pair.exchanged() ? kInfinity : -kInfinity;
    const Interval bottom = interval(&Pair::p, far, at(first));
    mass[0] = bottom.mass + bottom.error;
    const double gain = -exponential_minus_one(-step);
    for (std::size_t k = 0; k + 1 < mass.size(); ++k) {
        const std::int64_t place = first + static_cast<std::int64_t>(k);
        const double from = at(place);
        const double to = at(place + 1);
        if (from == to) continue;
        const Interval p = interval(&Pair::p, from, to);
        const Interval q = interval(&Pair::q, from, to);
        const double all = p.mass + p.error;
        // a + b = p and a + b e^-step = q e^place: b (1 - e^-step) = p - q e^place.
        const double weighed =
            std::max(0.0, q.mass - q.error) * exponential(step * static_cast<double>(place));
        const double upper = std::clamp((all - weighed * (1.0 - 0x1p-49)) / gain, 0.0, all);
        mass[k] += all - upper;
        mass[k + 1] += upper;
    }
    const std::int64_t last = first + static_cast<std::int64_t>(mass.size()) - 1;
    const Interval top = interval(&Pair::p, at(last), pair.exchanged() ? -kInfinity : kInfinity);
    return {step, first, std::move(mass), top.mass + top.error, 0x1p-30 * step};
}

/** Grids of both must have one step; the finer one is made coarser. */
LossDistribution composed(LossDistribution a, LossDistribution b, double tail) {
    while (a.step() < b.step()) a.coarsen();
    while (b.step() < a.step()) b.coarsen();
    LossDistribution sum = a + b;
    sum.cut(tail);
    while (sum.size() > kPlaces) sum.coarsen();
    return sum;
}

LossDistribution loss_of_all(const Pair &pair, std::uint64_t steps, double failure) {
    const double tail = 0x1p-8 * failure / static_cast<double>(steps);  // of one step
    LossDistribution one = loss_of_step(pair, tail);
    one.cut(tail);
    LossDistribution all = one;
    for (int bit = static_cast<int>(std::bit_width(steps)) - 2; bit >= 0; --bit) {
        const auto done = static_cast<double>(steps >> bit);
        all = composed(all, all, tail * done);
        if ((steps >> bit & 1U) != 0) all = composed(std::move(all), one, tail * done);
    }
    return all;
}

/** Whether the curve of a Gaussian release, with the failure, is nowhere below that one. Between
 *  two places the curve is below their line in e^epsilon, and falls: so it is compared at some
 *  points of the line with the Gaussian curve at the next ones. */
bool covers(double mu, double failure, const LossDistribution &loss,
            const std::vector<double> &curve) {
    constexpr int kParts = 8;
    const auto gaussian = [&](double epsilon) {
        return failure + (1.0 - failure) * lower_delta(epsilon, mu);
    };
    if (loss.infinite() > failure || loss.place(0) > 0.0) return false;
    for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
        const double from = loss.place(k);
        if (from + loss.step() < 0.0) continue;
        if (curve[k] <= failure) return true;
        for (int part = 0; part < kParts; ++part) {
            const double share = static_cast<double>(part) / kParts;
            const double line = curve[k] + share * (curve[k + 1] - curve[k]);
            // The point of the line that far in e^epsilon is not farther in epsilon than `next`.
            const double next =
                from + std::log1p((share + 1.0 / kParts) * std::expm1(loss.step())) * (1 + 1e-12);
            if (next > 0.0 && line > gaussian(next)) return false;
        }
    }
    return curve.back() <= failure;
}

void check(const char *name, double value, double least, double most) {
    if (value >= least && value <= most) return;
    throw Error(DPA_E_INVALID_ARGUMENT, std::string(name) + " must be in [" + to_text(least) +
                                            ", " + to_text(most) + "], but is " + to_text(value));
}

/** How far neighbours move the sums of all steps, in parts of a record. */
double moved(const SampledSteps &steps) {
    return (steps.neighbours == Neighbours::replace ? 2.0 : 1.0) *
           std::sqrt(static_cast<double>(steps.steps));
}

}  // namespace

double sampled_mu(const SampledSteps &steps, double most, double failure) {
    check("rate", steps.rate, 1e-6, 1.0);
    check("steps", static_cast<double>(steps.steps), 1.0, 1e7);
    check("the part of a record", most, 1e-6, 10.0);
    check("failure", failure, 1e-15, 0.1);
    double mu = 0.0;
    for (const bool exchanged : {false, true}) {
        if (exchanged && steps.neighbours == Neighbours::replace) break;  // the same by symmetry
        const LossDistribution loss =
            loss_of_all(Pair(steps.rate, most, steps.neighbours, exchanged), steps.steps, failure);
        const std::vector<double> curve = loss.curve();
        double good = std::max(mu, 1e-4);
        if (covers(good, failure, loss, curve)) {
            mu = good;
            continue;
        }
        double bad = good;
        good *= 2.0;
        while (good <= kMostSampledMu && !covers(good, failure, loss, curve)) {
            bad = good;
            good *= 2.0;
        }
        if (good > kMostSampledMu) {
            // Losses too small for the grid: without sampling no less is lost.
            const double all = moved(steps) * most;
            return all <= kMostSampledMu ? all * (1.0 + 1e-12) : kInfinity;
        }
        while (good - bad > 1e-4 * good) {
            const double middle = 0.5 * (good + bad);
            (covers(middle, failure, loss, curve) ? good : bad) = middle;
        }
        mu = good;
    }
    return mu;
}

double sampled_most(const SampledSteps &steps, double mu, double failure) {
    const double ratio = mu / (moved(steps) * steps.rate);
    double most = std::clamp(std::sqrt(std::log1p(ratio * ratio)), 1e-6, 10.0);
    double best = 0.0;
    double beyond = kInfinity;
    for (int round = 0; round < 20 && best < 0.99 * beyond; ++round) {
        const double price = sampled_mu(steps, most, failure);
        (price <= mu ? best : beyond) = most;
        if (most == 1e-6 || (price <= mu && price > 0.99 * mu)) break;
        // Prices grow at least in proportion.
        const double guess = most * std::clamp(0.998 * mu / price, 0.25, 4.0);
        const bool between = guess > best && guess < beyond;
        most = std::clamp(between ? guess : std::sqrt(best * beyond), 1e-6, 10.0);
        if (best == 10.0) break;
    }
    return best;
}

}  // namespace dpadapt::privacy
