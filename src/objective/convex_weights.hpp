#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "objective/weights.hpp"

namespace dpadapt {

/** The weights' share of the objective at a row of reference weight p and cost c, with the two
 *  scalars that separate the rows: kappa_2 ||q||_2 = min_s kappa_2/2 (||q||^2/s + s) and kappa_inf
 *  max q = min_t { kappa_inf t : q <= t }. Everything is in the share x = q/p in (0, 1]: phi(c) = p
 *  min { x c + kappa_1 (1/x - 1) + kappa_2 p x^2/(2 s) : 0 < x <= min(1, t/p) }. */
struct ConvexRule {
    double kappa_1;
    double kappa_2_over_s;  ///< 0 when kappa_2 = 0
    double t;               ///< infinite when kappa_inf = 0

    /** The minimizing share: min(1, t/p, root of kappa_2 p x^3/s + c x^2 = kappa_1). */
    [[nodiscard]] double share(double c, double p) const {
        const double most = std::min(1.0, t / p);
        const double cubic = kappa_2_over_s * p;
        if (cubic == 0.0) return c > kappa_1 ? std::min(most, std::sqrt(kappa_1 / c)) : most;
        if ((cubic * most + c) * most * most <= kappa_1) return most;
        return root(cubic, c, std::min(most, std::sqrt(kappa_1 / c)));
    }

    /** -x'(c)/x: how fast a free share falls with the cost; 0 at a cap. */
    [[nodiscard]] double decay(double x, double c, double p) const {
        return x < std::min(1.0, t / p) ? 1.0 / (3.0 * kappa_2_over_s * p * x + 2.0 * c) : 0.0;
    }

  private:
    /** Newton's method on an increasing convex function, from the right: monotone. */
    [[nodiscard]] double root(double cubic, double c, double x) const {
        constexpr int kMostSteps = 50;
        x = std::min(x, std::cbrt(kappa_1 / cubic));
        for (int step = 0; step < kMostSteps; ++step) {
            const double excess = (cubic * x + c) * x * x - kappa_1;
            const double next = x - excess / ((3.0 * cubic * x + 2.0 * c) * x);
            if (!(next < x)) break;
            x = next;
        }
        return x;
    }
};

/** Prices of the weights in the convex objective: kappa_1 sum p_i (p_i/q_i - 1) + kappa_2 ||q||_2 +
 *  kappa_inf max q. The scalars s = ||q||_2 and t = max q at the best weights are found by two
 *  nested monotone searches. */
struct ConvexPrices {
    double kappa_1 = 0.0;
    double kappa_2 = 0.0;
    double kappa_inf = 0.0;

    [[nodiscard]] bool coupled() const { return kappa_2 > 0.0 || kappa_inf > 0.0; }
    [[nodiscard]] ConvexRule rule(const WeightScalars &scalars) const {
        return {kappa_1, kappa_2 > 0.0 ? kappa_2 / scalars.s : 0.0, scalars.t};
    }
};

/** The weights for kappa_2 = kappa_inf = 0, where each record is on its own: with phi(c) = p c up
 *  to kappa_1 > 0, then p (2 sqrt(kappa_1 c) - kappa_1), returns the sum of phi. */
double weigh_apart(double kappa_1, const PricedRows &rows, double *q);

/** Minimizes over s and t; `start` is used to begin near the answer. */
[[nodiscard]] WeightScalars best_scalars(const ConvexPrices &prices,
                                         std::span<const PricedRows> samples, WeightScalars start);

/** How far from stationary the scalars are: the derivatives of the objective by s and t. */
struct ScalarSlopes {
    double s = 0.0;
    double t = 0.0;
};
[[nodiscard]] ScalarSlopes scalar_slopes(const ConvexPrices &prices,
                                         std::span<const PricedRows> samples,
                                         const WeightScalars &scalars);

/** max p and ||p||_2, between which and 0 the scalars lie. */
[[nodiscard]] double largest_reference(std::span<const PricedRows> samples);
[[nodiscard]] double reference_norm(std::span<const PricedRows> samples);

/** From the first two derivatives of the losses by the scores: takes from each second one,
 *  `curvature`, what the fall of the weight q takes away, down to this part of it. */
void reduce_convex(const ConvexPrices &prices, const PricedRows &rows, const WeightScalars &scalars,
                   const double *q, const double *slope, double floor, double *curvature);

/** The weights at the best scalars, and F there with the norms of these very weights. */
[[nodiscard]] BestWeights best_convex_weights(const ConvexPrices &prices,
                                              std::span<const PricedRows> samples,
                                              const WeightScalars &start);

}  // namespace dpadapt
