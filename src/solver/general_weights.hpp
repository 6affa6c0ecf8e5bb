#pragma once

#include <span>
#include <vector>

namespace dpadapt {

/** Prices of the weights in the general form `opt-private-non-convex`. */
struct GeneralPrices {
    double lambda_1 = 0.0;    ///< of ||q - p||_1, which is 1 - sum q at an optimum
    double lambda_2 = 0.0;    ///< of ||q||_2
    double lambda_inf = 0.0;  ///< of the soft maximum log(sum exp(mu q_i)) / mu
    double mu = 1.0;
};

/** Rows of one sample: cost c_i of a weight, which is at most p. */
struct PricedRows {
    std::span<const double> cost;
    double p = 0.0;
};

/** The best weights for given costs, q minimizing
 *
 *      sum_i q_i c_i + lambda_1 (1 - sum_i q_i) + lambda_2 ||q||_2 + lambda_inf/mu log sum_i exp(mu q_i)
 *
 *  over 0 <= q_i <= p_i. The problem is convex, and two scalars separate the rows: s = ||q||_2, as
 *  lambda_2 ||q|| = min_s lambda_2/2 (||q||^2/s + s), and S = sum exp(mu q_i), the denominator of the soft maximum's
 *  derivative. Given both, each q_i is the root of c - lambda_1 + lambda_2 q/s + lambda_inf exp(mu q)/S, clipped. For
 *  lambda_2 = lambda_inf = 0 it is p_i or 0: trimmed losses. */
struct GeneralWeights {
    std::vector<double> q;  ///< rows of the samples one after another
    double value = 0.0;     ///< the minimum
};

[[nodiscard]] GeneralWeights best_general_weights(const GeneralPrices &prices,
                                                  std::span<const PricedRows> samples);

}  // namespace dpadapt
