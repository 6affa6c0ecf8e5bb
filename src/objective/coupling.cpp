#include "objective/coupling.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt {

double soft_share(double mu, double q, double p) {
    return std::exp(mu * (q - p)) * (std::expm1(-mu * q) / std::expm1(-mu * p));
}

CouplingTerms::Sums CouplingTerms::of_record(double q, double cost, double p,
                                             const WeightScalars &scalars) const {
    if (const auto *linear = std::get_if<LinearPrices>(&prices))
        return {q * q, soft_share(linear->mu, q, largest_p)};
    const auto &convex = std::get<ConvexPrices>(prices);
    if (p < scalars.t) return {q * q, 0.0};
    const double held = convex.kappa_1 * (p / scalars.t) * (p / scalars.t) - cost -
                        convex.kappa_2 * scalars.t / scalars.s;
    return {q * q, std::max(0.0, held)};
}

CouplingTerms::Sums CouplingTerms::largest(double p, const WeightScalars &scalars) const {
    if (const auto *linear = std::get_if<LinearPrices>(&prices))
        return {p * p, soft_share(linear->mu, p, largest_p)};
    const auto &convex = std::get<ConvexPrices>(prices);
    return {p * p, convex.kappa_1 * (p / scalars.t) * (p / scalars.t)};
}

}  // namespace dpadapt
