#include "solver/general_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpadapt {
namespace {

/** The weights at fixed scalars; S is known by its logarithm, which cannot overflow. */
class Separated {
  public:
    Separated(const GeneralPrices &prices, std::span<const PricedRows> samples)
        : prices_(prices), samples_(samples) {
        std::size_t rows = 0;
        for (const PricedRows &sample : samples) {
            rows += sample.cost.size();
            most_ = std::max(most_, sample.p);
            norm_ =
                std::hypot(norm_, sample.p * std::sqrt(static_cast<double>(sample.cost.size())));
        }
        q_.resize(rows);
    }

    /** ||p||, the largest s. */
    [[nodiscard]] double largest_norm() const { return norm_; }
    [[nodiscard]] std::vector<double> &q() { return q_; }

    /** Minimizes over q for a given s, with the soft maximum at its own best. */
    void solve(double s) {
        if (prices_.lambda_inf == 0.0) return fill(s, 0.0);
        // sum(S)/S never rises with S, so its crossing of 1 can be enclosed.
        double low = std::log(static_cast<double>(q_.size()));
        double high = low + prices_.mu * most_;
        constexpr int kSteps = 100;
        for (int step = 0; step < kSteps; ++step) {
            const double middle = 0.5 * (low + high);
            if (middle <= low || middle >= high) break;
            fill(s, middle);
            (log_sum() >= middle ? low : high) = middle;
        }
    }

    [[nodiscard]] double norm() const {
        double square = 0.0;
        for (const double q : q_) square += q * q;
        return std::sqrt(square);
    }

    [[nodiscard]] double value() const {
        double value = prices_.lambda_1 + prices_.lambda_2 * norm();
        if (prices_.lambda_inf > 0.0) value += prices_.lambda_inf / prices_.mu * log_sum();
        std::size_t i = 0;
        for (const PricedRows &sample : samples_)
            for (const double c : sample.cost) value += q_[i++] * (c - prices_.lambda_1);
        return value;
    }

  private:
    void fill(double s, double log_s) {
        std::size_t i = 0;
        const double log_pull =
            prices_.lambda_inf > 0.0 ? std::log(prices_.lambda_inf) - log_s : -kInfinity;
        for (const PricedRows &sample : samples_)
            for (const double c : sample.cost) q_[i++] = weight(c, sample.p, s, log_pull);
    }

    /** log_pull: logarithm of lambda_inf/S. */
    [[nodiscard]] double weight(double c, double p, double s, double log_pull) const {
        const double gain = prices_.lambda_1 - c;
        if (!(gain > 0.0) || std::log(gain) <= log_pull) return 0.0;
        double q = p;
        if (prices_.lambda_2 > 0.0) q = std::min(q, gain * s / prices_.lambda_2);
        if (prices_.lambda_inf == 0.0) return q;
        q = std::min(q, (std::log(gain) - log_pull) / prices_.mu);
        if (prices_.lambda_2 == 0.0) return q;
        // Both bounds hold: Newton's method from the right on an increasing convex function is monotone.
        constexpr int kMostSteps = 50;
        const double slope = prices_.lambda_2 / s;
        for (int step = 0; step < kMostSteps; ++step) {
            const double soft = std::exp(log_pull + prices_.mu * q);
            const double next = q - (slope * q + soft - gain) / (slope + prices_.mu * soft);
            if (!(next < q)) break;
            q = next;
        }
        return std::max(q, 0.0);
    }

    [[nodiscard]] double log_sum() const {
        const double largest = prices_.mu * *std::max_element(q_.begin(), q_.end());
        double sum = 0.0;
        for (const double q : q_) sum += std::exp(prices_.mu * q - largest);
        return largest + std::log(sum);
    }

    static constexpr double kInfinity = std::numeric_limits<double>::infinity();

    GeneralPrices prices_;
    std::span<const PricedRows> samples_;
    double most_ = 0.0;
    double norm_ = 0.0;
    std::vector<double> q_;
};

}  // namespace

GeneralWeights best_general_weights(const GeneralPrices &prices,
                                    std::span<const PricedRows> samples) {
    Separated problem(prices, samples);
    if (prices.lambda_2 == 0.0) {
        problem.solve(1.0);
    } else {
        // The objective is convex in s, with slope lambda_2/2 (1 - ||q||^2/s^2).
        double high = problem.largest_norm();
        double low = high * std::numeric_limits<double>::epsilon();
        constexpr int kSteps = 200;
        for (int step = 0; step < kSteps; ++step) {
            const double middle = std::sqrt(low * high);
            if (middle <= low || middle >= high) break;
            problem.solve(middle);
            (problem.norm() >= middle ? low : high) = middle;
        }
        // Below the smallest s that was tried all weights are zero.
        if (high <= problem.largest_norm() * 1e-15)
            std::fill(problem.q().begin(), problem.q().end(), 0.0);
    }
    const double value = problem.value();
    return {std::move(problem.q()), value};
}

}  // namespace dpadapt
