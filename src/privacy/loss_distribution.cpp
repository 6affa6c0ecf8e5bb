#include "privacy/loss_distribution.hpp"

#include <algorithm>
#include <utility>

#include "privacy/exponential.hpp"

namespace dpadapt::privacy {
namespace {

constexpr double kRoundoff = 0x1p-52;

double raised(double value, std::size_t operations) {
    return value * (1.0 + kRoundoff * static_cast<double>(operations + 8));
}

}  // namespace

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
