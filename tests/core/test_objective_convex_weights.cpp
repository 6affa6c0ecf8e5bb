// The weights and their two scalars against a search that knows nothing of the derivation.
#include <vector>

#include "core.hpp"
#include "objective/convex_weights.hpp"
#include "objective/penalty.hpp"

using namespace dpadapt;

namespace {

struct Instance {
    std::vector<double> source;  // costs
    std::vector<double> target;
    std::vector<PricedRows> rows;
    ConvexPrices prices;
};

Instance make_instance(unsigned seed) {
    Random random(seed);
    Instance instance;
    const std::size_t m = 1 + seed % 7;
    const std::size_t n = 1 + seed % 4;
    const double alpha = seed % 9 == 0 ? 0.0 : random.uniform();
    const auto square = [](double r) { return r * r; };
    for (std::size_t i = 0; i < m; ++i) instance.source.push_back(square(random.normal()));
    for (std::size_t i = 0; i < n; ++i)
        instance.target.push_back(i == 0 && seed % 5 == 0 ? 0.0 : square(random.normal()));
    const double discrepancy = random.uniform();
    for (double &cost : instance.source) cost += discrepancy;
    instance.rows = {{instance.source, alpha / static_cast<double>(m)},
                     {instance.target, (1 - alpha) / static_cast<double>(n)}};
    instance.prices.kappa_1 = std::exp(3 * random.normal() - 1);
    if (seed % 3 != 0) instance.prices.kappa_2 = std::exp(3 * random.normal());
    if (seed % 2 != 0) instance.prices.kappa_inf = std::exp(3 * random.normal());
    return instance;
}

/** The share part of the objective at given s and t. */
double objective(const Instance &instance, double s, double t) {
    const ConvexPrices &prices = instance.prices;
    double value = 0.5 * prices.kappa_2 * s + (prices.kappa_inf > 0 ? prices.kappa_inf * t : 0.0);
    const ConvexRule rule = prices.rule({s, t});
    for (const PricedRows &rows : instance.rows) {
        if (rows.p == 0.0) continue;
        for (const double c : rows.cost) {
            const double x = rule.share(c, rows.p);
            value += rows.p * (x * c + prices.kappa_1 * (1 / x - 1));
            if (prices.kappa_2 > 0) value += prices.kappa_2 * rows.p * rows.p * x * x / (2 * s);
        }
    }
    return value;
}

/** No share on a fine grid does better than the rule's. */
void share_is_the_minimizer() {
    Random random(7);
    for (int trial = 0; trial < 2000; ++trial) {
        const double kappa_1 = std::exp(4 * random.normal());
        const double c = trial % 10 == 0 ? 0.0 : std::exp(4 * random.normal());
        const double p = random.uniform();
        const ConvexRule rule{kappa_1, trial % 2 == 0 ? 0.0 : std::exp(4 * random.normal()),
                              trial % 3 == 0 ? p * random.uniform() : 2.0};
        const double most = std::min(1.0, rule.t / p);
        const auto cost = [&](double x) {
            return x * c + kappa_1 * (1 / x - 1) + 0.5 * rule.kappa_2_over_s * p * x * x;
        };
        const double x = rule.share(c, p);
        check_true("within the cap", x > 0 && x <= most);
        for (int k = 1; k <= 1000; ++k) {
            const double other = most * k / 1000;
            check_true("no better share", cost(x) <= cost(other) * (1 + 1e-12) + 1e-12 * kappa_1);
        }
        const double decay = rule.decay(x, c, p);
        if (decay > 0.0 && c > 0.0) {
            const double step = 1e-6 * c;
            const double slope = (rule.share(c + step, p) - rule.share(c - step, p)) / (2 * step);
            check_true("decay", std::abs(-slope / x - decay) <= 1e-4 * decay);
        }
    }
}

void scalars_are_the_minimizers() {
    for (unsigned seed = 1; seed <= 600; ++seed) {
        const Instance instance = make_instance(seed);
        const WeightScalars best = best_scalars(instance.prices, instance.rows, {});
        const double value = objective(instance, best.s, best.t);
        const double largest = std::max(instance.rows[0].p, instance.rows[1].p);
        for (int i = -40; i <= 40; ++i) {
            for (int j = -40; j <= 40; ++j) {
                if (instance.prices.kappa_2 == 0 && i != 0) continue;
                if (instance.prices.kappa_inf == 0 && j != 0) continue;
                const double scale = (i + j) % 2 == 0 ? 0.1 : 1e-6;
                const double s = best.s * std::exp(scale * i);
                const double t =
                    std::isinf(best.t) ? best.t : std::min(largest, best.t * std::exp(scale * j));
                check_true("no better scalars, seed " + std::to_string(seed),
                           value <= objective(instance, s, t) * (1 + 1e-13) + 1e-14);
            }
        }
        const ScalarSlopes slopes = scalar_slopes(instance.prices, instance.rows, best);
        check_true("stationary in s",
                   std::abs(slopes.s) <= 1e-11 * (instance.prices.kappa_2 + 1e-30));
        check_true(
            "stationary in t, seed " + std::to_string(seed),
            std::abs(slopes.t) <= 1e-9 * (instance.prices.kappa_inf + instance.prices.kappa_1));
    }
}

/** Many rows of one reference weight are treated at once; weights of 1 go the other way. */
void rows_at_once_agree_with_rows_by_themselves() {
    Random random(11);
    for (const double kappa_inf : {0.0, 0.3, 2.0, 50.0}) {
        std::vector<double> cost(1003);
        for (double &c : cost)
            c = std::pow(random.normal(), 2) * (random.uniform() < 0.1 ? 100 : 1);
        const std::vector<double> ones(cost.size(), 1.0);
        const double p = 1.0 / static_cast<double>(cost.size());
        const ConvexPrices prices{1.5, 0.0, kappa_inf};
        const std::vector<PricedRows> alike{{cost, p}};
        const std::vector<PricedRows> apart{{cost, p, ones.data()}};
        const BestWeights some = best_convex_weights(prices, alike, {});
        const BestWeights other = best_convex_weights(prices, apart, {});
        check_close("value", some.value, other.value, 1e-13);
        check_close("t", kappa_inf > 0 ? some.scalars.t : 0.0,
                    kappa_inf > 0 ? other.scalars.t : 0.0, 1e-12);
        for (std::size_t i = 0; i < cost.size(); ++i)
            check_close("weight", some.q[i], other.q[i], 1e-12);
        // Free rows with the slope of a squared loss, and those at their cap.
        const WeightScalars scalars = some.scalars;
        const double cap = std::min(1.0, scalars.t / p);
        std::vector<double> slope(cost.size());
        for (std::size_t i = 0; i < cost.size(); ++i) slope[i] = 2.0 * std::sqrt(0.9 * cost[i]);
        std::vector<double> curvature(cost.size(), 2.0);
        std::vector<double> lone(cost.size(), 2.0);
        reduce_convex(prices, alike[0], scalars, some.q.data(), slope.data(), 0.01,
                      curvature.data());
        reduce_convex(prices, apart[0], scalars, some.q.data(), slope.data(), 0.01, lone.data());
        for (std::size_t i = 0; i < cost.size(); ++i) {
            const bool free = cost[i] > prices.kappa_1 / (cap * cap) * (1.0 + 1e-12);
            check_close("curvature", curvature[i], free ? 2.0 - 0.9 * 2.0 : 2.0, 1e-12);
            if (free) check_close("curvature of one", lone[i], curvature[i], 1e-12);
        }
    }
}

/** With a large kappa_1 hardly less than the mean loss; where there is none, the mean loss. */
void mean_charges_follow_weights() {
    const std::vector<double> losses{1.0, 3.0};
    const std::vector<double> relative{0.5, 1.5};
    Hyperparameters hyper;
    hyper.penalty = PenaltyKind::convex;
    hyper.kappa_1 = 0.0;
    check_close("alike", mean_charge(hyper, losses, {}), 2.0, 1e-15);
    check_close("weighted", mean_charge(hyper, losses, relative), 2.5, 1e-15);
    hyper.kappa_1 = 1e12;
    check_close("hardly charged", mean_charge(hyper, losses, relative), 2.5, 1e-9);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(share_is_the_minimizer),
        core_test(rows_at_once_agree_with_rows_by_themselves),
        core_test(scalars_are_the_minimizers),
        core_test(mean_charges_follow_weights),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
