#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "objective/weights.hpp"

namespace dpadapt {

/** The best weight of a record on its own, once the two scalars that couple the records are known:
 *  s = ||q||_2 and S = sum exp(mu q_i). */
struct LinearRule {
    double lambda_1;         ///< infinite: every weight is p
    double lambda_2_over_s;  ///< 0 when lambda_2 = 0
    double log_pull;         ///< log(lambda_inf/S); -infinity when lambda_inf = 0
    double mu;

    /** The root of cost - lambda_1 + lambda_2 q/s + lambda_inf exp(mu q)/S, clipped to [0, p]. */
    [[nodiscard]] double weight(double cost, double p) const {
        const double gain = lambda_1 - cost;
        if (!(gain > 0.0) || p == 0.0) return 0.0;
        const bool soft = log_pull > -std::numeric_limits<double>::infinity();
        if (std::isinf(gain) || (lambda_2_over_s == 0.0 && !soft)) return p;
        const double most = lambda_2_over_s > 0.0 ? std::min(p, gain / lambda_2_over_s) : p;
        if (!soft || most == 0.0) return most;
        const double alone = (std::log(gain) - log_pull) / mu;
        if (lambda_2_over_s == 0.0 || alone <= 0.0) return std::clamp(alone, 0.0, p);
        return root(gain, std::min(most, alone));
    }

  private:
    /** Halley's method from the right: each of the two terms by itself stays below the gain
     *  there. */
    [[nodiscard]] double root(double gain, double q) const {
        constexpr int kMostSteps = 50;
        constexpr double kLast = 1e-6;  // of mu q: the step after is below rounding
        for (int step = 0; step < kMostSteps; ++step) {
            const double pull = std::exp(log_pull + mu * q);
            const double excess = lambda_2_over_s * q + pull - gain;
            const double slope = lambda_2_over_s + mu * pull;
            if (step == 0 && excess <= 0.0) return q;  // held by p
            const double change = excess / (slope - 0.5 * excess * mu * (mu * pull / slope));
            q = std::max(0.0, q - change);
            if (!(mu * std::abs(change) > kLast)) break;
        }
        return q;
    }
};

/** Prices of the weights in the general objective. */
struct LinearPrices {
    double lambda_1 = 0.0;    ///< of ||q - p||_1, which is 1 - sum q at an optimum
    double lambda_2 = 0.0;    ///< of ||q||_2
    double lambda_inf = 0.0;  ///< of the soft maximum log(sum exp(mu q_i)) / mu
    double mu = 1.0;

    [[nodiscard]] bool coupled() const { return lambda_2 > 0.0 || lambda_inf > 0.0; }

    /** At s = ||q||_2 and t, the logarithm of S, which cannot overflow. */
    [[nodiscard]] LinearRule rule(const WeightScalars &scalars) const {
        constexpr double kNone = -std::numeric_limits<double>::infinity();
        return {lambda_1, lambda_2 > 0.0 ? lambda_2 / scalars.s : 0.0,
                lambda_inf > 0.0 ? std::log(lambda_inf) - scalars.t : kNone, mu};
    }
};

/** The best weights for given costs, q minimizing
 *
 *      sum_i q_i c_i + lambda_1 (1 - sum_i q_i) + lambda_2 ||q||_2 + lambda_inf/mu
 *          log sum_i exp(mu q_i)
 *
 *  over 0 <= q_i <= p_i. The problem is convex, and two scalars separate the rows: s = ||q||_2, as
 *  lambda_2 ||q|| = min_s lambda_2/2 (||q||^2/s + s), and S = sum exp(mu q_i), the denominator of
 *  the soft maximum's derivative. Given both, each q_i follows from its own cost; see LinearRule.
 *  For lambda_2 = lambda_inf = 0 it is p_i or 0: trimmed losses. */
[[nodiscard]] BestWeights best_linear_weights(const LinearPrices &prices,
                                              std::span<const PricedRows> samples);

}  // namespace dpadapt
