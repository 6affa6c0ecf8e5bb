#pragma once

#include <variant>

#include "solver/general_weights.hpp"
#include "solver/weights.hpp"

namespace dpadapt::records {

/** How the loss of a record decides about its weight, q = share p: values that a task carries.
 *  weigh() gives a function that returns the share for a loss and writes the further coordinates
 *  of the record's term, from which the next scalars follow. Each of these is at most kFurther. */
inline constexpr double kFurther = 0.5;

/** Every record has its reference weight. */
struct WholeWeights {
    [[nodiscard]] static std::size_t further() { return 0; }
    [[nodiscard]] static auto weigh() {
        return [](double /*loss*/, std::span<double> /*further*/) { return 1.0; };
    }
};

/** With the kappas. */
struct ConvexWeights {
    WeightPrices prices;
    WeightScalars scalars;
    double p = 0.0;     ///< reference weight
    double d = 0.0;     ///< what a record costs besides its loss
    double unit = 0.0;  ///< largest reference weight of a private record

    /** Both coordinates are divided by their largest value: those of q^2 and of what lifting the
     *  cap t would save. */
    [[nodiscard]] double largest_square() const { return unit * unit; }
    [[nodiscard]] double largest_excess() const {
        return prices.kappa_1 * (unit / scalars.t) * (unit / scalars.t);
    }

    /** What lifting the cap t would save at a record of cost c, per unit. */
    [[nodiscard]] double excess(double c) const {
        if (p < scalars.t) return 0.0;
        return std::max(0.0, prices.kappa_1 * (p / scalars.t) * (p / scalars.t) - c -
                                 prices.kappa_2 * scalars.t / scalars.s);
    }

    [[nodiscard]] std::size_t further() const { return prices.coupled() ? 2 : 0; }
    [[nodiscard]] auto weigh() const {
        return [*this, rule = prices.rule(scalars), most = largest_excess()](
                   double loss, std::span<double> out) {
            const double c = loss + d;
            const double share = rule.share(c, p);
            if (out.empty()) return share;
            const double q = p * share;
            out[0] = kFurther * (q * q) / largest_square();
            out[1] = most > 0.0 ? kFurther * excess(c) / most : 0.0;
            return share;
        };
    }
};

/** (exp(mu q) - 1)/(exp(mu p) - 1) for 0 <= q <= p, without overflow. */
[[nodiscard]] inline double soft_share(double mu, double q, double p) {
    return std::exp(mu * (q - p)) * (std::expm1(-mu * q) / std::expm1(-mu * p));
}

/** With the lambdas. */
struct LambdaWeights {
    GeneralPrices prices;
    double s = 0.0;        ///< ||q||_2
    double log_sum = 0.0;  ///< log sum exp(mu q)
    double p = 0.0;
    double d = 0.0;
    double unit = 0.0;

    [[nodiscard]] std::size_t further() const {
        return prices.lambda_2 > 0.0 || prices.lambda_inf > 0.0 ? 2 : 0;
    }
    [[nodiscard]] auto weigh() const {
        return [*this, rule = prices.rule(s, log_sum)](double loss, std::span<double> out) {
            const double q = rule.weight(loss + d, p);
            if (!out.empty()) {
                out[0] = kFurther * (q / unit) * (q / unit);
                out[1] = kFurther * soft_share(prices.mu, q, unit);
            }
            return q / p;
        };
    }
};

using Weighting = std::variant<WholeWeights, ConvexWeights, LambdaWeights>;

}  // namespace dpadapt::records
