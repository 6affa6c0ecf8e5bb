#include "objective/penalty.hpp"

namespace dpadapt {
namespace {

Prices prices_of(const Hyperparameters &hyper) {
    if (hyper.penalty == PenaltyKind::convex)
        return ConvexPrices{hyper.kappa_1, hyper.kappa_2, hyper.kappa_inf};
    return LinearPrices{hyper.lambda_1, hyper.lambda_2, hyper.lambda_inf, hyper.mu};
}

}  // namespace

bool couples(const Prices &prices) {
    return std::visit([](const auto &any) { return any.coupled(); }, prices);
}

WeightRule rule_at(const Prices &prices, const WeightScalars &scalars) {
    return std::visit([&](const auto &any) { return WeightRule(any.rule(scalars)); }, prices);
}

double mean_charge(const Hyperparameters &hyper, std::span<const double> losses,
                   std::span<const double> relative) {
    const PricedRows rows{losses, 1.0 / static_cast<double>(losses.size()),
                          relative.empty() ? nullptr : relative.data()};
    if (hyper.penalty == PenaltyKind::convex && hyper.kappa_1 == 0.0) {
        double sum = 0.0;
        for (std::size_t i = 0; i < losses.size(); ++i) sum += rows.factor(i) * losses[i];
        return rows.p * sum;
    }
    Hyperparameters apart = hyper;
    apart.kappa_2 = apart.kappa_inf = apart.lambda_2 = apart.lambda_inf = 0.0;
    std::vector<double> q(losses.size());
    return Penalty(apart).weigh(rows, q.data());
}

Penalty::Penalty(const Hyperparameters &hyper) : prices_(prices_of(hyper)) {}

bool Penalty::keeps_reference() const {
    const auto *linear = std::get_if<LinearPrices>(&prices_);
    return linear != nullptr && std::isinf(linear->lambda_1);
}

double Penalty::weigh(const PricedRows &rows, double *q) const {
    if (const auto *convex = std::get_if<ConvexPrices>(&prices_))
        return weigh_apart(convex->kappa_1, rows, q);
    const auto &linear = std::get<LinearPrices>(prices_);
    const LinearRule rule = linear.rule({});
    double value = 0.0;
    for (std::size_t i = 0; i < rows.cost.size(); ++i) {
        const double p = rows.reference(i);
        q[i] = rule.weight(rows.cost[i], p);
        value += q[i] == p ? p * rows.cost[i] : q[i] * rows.cost[i] + linear.lambda_1 * (p - q[i]);
    }
    return value;
}

BestWeights Penalty::best_weights(std::span<const PricedRows> samples,
                                  const WeightScalars &start) const {
    if (const auto *convex = std::get_if<ConvexPrices>(&prices_))
        return best_convex_weights(*convex, samples, start);
    return best_linear_weights(std::get<LinearPrices>(prices_), samples);
}

double Penalty::slack(std::span<const PricedRows> samples, const WeightScalars &scalars) const {
    const auto *convex = std::get_if<ConvexPrices>(&prices_);
    if (convex == nullptr || !convex->coupled()) return 0.0;
    const ScalarSlopes slopes = scalar_slopes(*convex, samples, scalars);
    return std::abs(slopes.s) * reference_norm(samples) +
           std::abs(slopes.t) * largest_reference(samples);
}

}  // namespace dpadapt
