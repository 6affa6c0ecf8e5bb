// The exact weights of the general form against the optimality conditions, closed forms and a slow
// independent solver.
#include "core/core.hpp"
#include "objective/linear_weights.hpp"

using namespace dpadapt;

namespace {

struct Instance {
    LinearPrices prices;
    std::vector<double> source;
    std::vector<double> target;
    double p_source;
    double p_target;
    std::vector<double> relative{};  ///< weights of the source's rows, of mean 1; empty: alike

    [[nodiscard]] std::vector<PricedRows> samples() const {
        return {{source, p_source, relative.empty() ? nullptr : relative.data()},
                {target, p_target}};
    }
    [[nodiscard]] std::size_t rows() const { return source.size() + target.size(); }
    [[nodiscard]] double cost(std::size_t i) const {
        return i < source.size() ? source[i] : target[i - source.size()];
    }
    [[nodiscard]] double most(std::size_t i) const {
        if (i >= source.size()) return p_target;
        return relative.empty() ? p_source : p_source * relative[i];
    }

    [[nodiscard]] double objective(const std::vector<double> &q) const {
        double value = prices.lambda_1;
        double square = 0.0;
        double sum = 0.0;
        for (std::size_t i = 0; i < q.size(); ++i) {
            value += q[i] * (cost(i) - prices.lambda_1);
            square += q[i] * q[i];
            sum += std::exp(prices.mu * q[i]);
        }
        return value + prices.lambda_2 * std::sqrt(square) +
               (prices.lambda_inf > 0.0 ? prices.lambda_inf / prices.mu * std::log(sum) : 0.0);
    }

    /** Derivative by q_i. */
    [[nodiscard]] double slope(const std::vector<double> &q, std::size_t i) const {
        double square = 0.0;
        double sum = 0.0;
        for (const double w : q) {
            square += w * w;
            sum += std::exp(prices.mu * w);
        }
        const double norm = std::sqrt(square);
        return cost(i) - prices.lambda_1 + (norm > 0.0 ? prices.lambda_2 * q[i] / norm : 0.0) +
               prices.lambda_inf * std::exp(prices.mu * q[i]) / sum;
    }
};

Instance random_instance(Random &random, int which) {
    Instance instance{{}, std::vector<double>(7), std::vector<double>(4), 0.6 / 7, 0.4 / 4};
    for (auto *costs : {&instance.source, &instance.target})
        for (double &c : *costs) c = 3.0 * random.uniform();
    instance.prices.lambda_1 = 3.0 * random.uniform();
    if ((which & 1) != 0) instance.prices.lambda_2 = random.uniform();
    if ((which & 2) != 0) instance.prices.lambda_inf = 2.0 * random.uniform();
    instance.prices.mu = std::exp(4.0 * random.uniform());
    if ((which & 4) != 0) instance.relative = {0.0, 0.25, 0.5, 1.0, 1.5, 1.75, 2.0};
    return instance;
}

void optimality_conditions_hold() {
    Random random(1);
    for (int trial = 0; trial < 400; ++trial) {
        const Instance instance = random_instance(random, trial);
        const auto [q, scalars, value] = best_linear_weights(instance.prices, instance.samples());
        const std::string where = "trial " + std::to_string(trial);
        check_true(where + ": one weight a row", q.size() == instance.rows());
        check_close(where + ": value", value, instance.objective(q), 1e-12);
        const bool any = std::any_of(q.begin(), q.end(), [](double w) { return w > 0.0; });
        for (std::size_t i = 0; i < q.size(); ++i) {
            check_true(where + ": range", q[i] >= 0.0 && q[i] <= instance.most(i));
            if (!any) continue;
            const double slope = instance.slope(q, i);
            if (q[i] < instance.most(i)) check_true(where + ": no gain upwards", slope > -1e-10);
            if (q[i] > 0.0) check_true(where + ": no gain downwards", slope < 1e-10);
        }
    }
}

/** No feasible point is better, random directions and corners included; the problem is convex. */
void nothing_is_better() {
    Random random(2);
    for (int trial = 0; trial < 100; ++trial) {
        const Instance instance = random_instance(random, trial);
        const auto [q, scalars, value] = best_linear_weights(instance.prices, instance.samples());
        for (int other = 0; other < 200; ++other) {
            std::vector<double> point(q.size());
            const double step = std::exp(-12.0 * random.uniform());
            for (std::size_t i = 0; i < q.size(); ++i) {
                const double anywhere =
                    instance.most(i) *
                    (other % 5 == 0 ? std::round(random.uniform()) : random.uniform());
                point[i] = q[i] + step * (anywhere - q[i]);
            }
            check_true("no better point", instance.objective(point) >= value - 1e-12);
        }
    }
}

void trimmed_losses() {
    Random random(3);
    Instance instance = random_instance(random, 0);
    const auto [q, scalars, value] = best_linear_weights(instance.prices, instance.samples());
    for (std::size_t i = 0; i < q.size(); ++i)
        check_true("all or nothing",
                   q[i] == (instance.cost(i) < instance.prices.lambda_1 ? instance.most(i) : 0.0));
}

void sharp_maximum_is_the_maximum() {
    Random random(4);
    Instance instance = random_instance(random, 2);
    instance.prices.lambda_1 = 5.0;
    instance.prices.lambda_inf = 3.0;
    instance.prices.mu = 1e7;  // exp(mu p) overflows
    const auto [q, scalars, value] = best_linear_weights(instance.prices, instance.samples());
    // With a true maximum every weight is min(p, t) or 0; the best t is one of the two p, or 0.
    double best = instance.prices.lambda_1;
    for (const double t : {instance.p_source, instance.p_target}) {
        double other = instance.prices.lambda_1 + instance.prices.lambda_inf * t;
        for (std::size_t i = 0; i < q.size(); ++i)
            other += std::min(instance.most(i), t) *
                     std::min(0.0, instance.cost(i) - instance.prices.lambda_1);
        best = std::min(best, other);
    }
    check_close("value", value, best, 1e-5);
}

void everything_may_be_dropped() {
    const std::vector<double> costs = {2.0, 3.0};
    const std::vector<PricedRows> samples = {{costs, 0.5}};
    const auto [none, scalars, value] = best_linear_weights({1.0, 0.0, 0.0, 1.0}, samples);
    check_true("costs above lambda_1", none == std::vector<double>(2, 0.0) && value == 1.0);
    const auto [few, others, other] = best_linear_weights({2.1, 10.0, 0.0, 1.0}, samples);
    check_true("a norm too dear", few[0] < 1e-12 && few[1] == 0.0);
    check_close("value", other, 2.1, 1e-12);
}

/** Each weight follows from its own cost once the two scalars are known. */
void a_rule_reproduces_the_weights() {
    Random random(5);
    for (int trial = 0; trial < 400; ++trial) {
        const Instance instance = random_instance(random, trial);
        const auto [q, scalars, value] = best_linear_weights(instance.prices, instance.samples());
        double square = 0.0;
        double sum = 0.0;
        for (const double w : q) {
            square += w * w;
            sum += std::exp(instance.prices.mu * w);
        }
        if (square == 0.0) continue;
        const LinearRule rule = instance.prices.rule({std::sqrt(square), std::log(sum)});
        for (std::size_t i = 0; i < q.size(); ++i) {
            const double p = instance.most(i);
            check_true("same weight, trial " + std::to_string(trial),
                       std::abs(rule.weight(instance.cost(i), p) - q[i]) <= 1e-9 * p);
        }
    }
}

void an_infinite_price_keeps_every_weight() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const LinearRule rule = LinearPrices{kInfinity, 2.0, 3.0, 10.0}.rule({0.5, 1.0});
    check_true("p", rule.weight(1e300, 0.25) == 0.25);
    check_true("no weight to give", rule.weight(1.0, 0.0) == 0.0);
}

/** Just below the price of the norm at which everything is dropped the weights are tiny, not
 *  lost. */
void the_last_weights_are_exact() {
    const std::vector<double> costs = {0.0, 1.0, 5.0};
    const std::vector<PricedRows> samples = {{costs, 0.25}};
    const double critical = std::sqrt(4.0 + 1.0);  // norm of the gains 2 and 1
    const auto [none, scalars, at] =
        best_linear_weights({2.0, critical * (1.0 + 1e-12), 0.0, 1.0}, samples);
    check_true("dropped", none == std::vector<double>(3, 0.0) && at == 2.0);
    const auto [some, others, below] =
        best_linear_weights({2.0, critical * (1.0 - 1e-3), 0.0, 1.0}, samples);
    check_true("the first is held, the second is not",
               some[0] == 0.25 && some[1] > 0.12 && some[1] < 0.126 && some[2] == 0.0);
    check_true("worth it", below < 2.0);
}

/** As many rows as a fit has, with the scales of one; a sample without weight takes part in the
 *  soft maximum only. */
void many_rows() {
    Random random(6);
    for (int which = 0; which < 8; ++which) {
        Instance instance = random_instance(random, which % 4);
        for (auto *costs : {&instance.source, &instance.target}) {
            costs->resize(3000);
            for (double &c : *costs) c = -std::log(1.0 - random.uniform());
        }
        const double alpha = which < 4 ? 0.5 : 0.0;
        instance.p_source = alpha / 3000;
        instance.p_target = (1.0 - alpha) / 3000;
        instance.prices.mu = 1e4;
        instance.prices.lambda_1 = 1.0;
        instance.prices.lambda_2 *= 30.0;
        instance.prices.lambda_inf *= 300.0;
        const auto [q, scalars, value] = best_linear_weights(instance.prices, instance.samples());
        check_close("value", value, instance.objective(q), 1e-12);
        check_true("some weight", *std::max_element(q.begin(), q.end()) > 0.0);
        for (std::size_t i = 0; i < q.size(); i += 17) {
            const double slope = instance.slope(q, i);
            if (q[i] < instance.most(i)) check_true("no gain upwards", slope > -1e-10);
            if (q[i] > 0.0) check_true("no gain downwards", slope < 1e-10);
        }
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(optimality_conditions_hold),
        core_test(nothing_is_better),
        core_test(trimmed_losses),
        core_test(sharp_maximum_is_the_maximum),
        core_test(everything_may_be_dropped),
        core_test(a_rule_reproduces_the_weights),
        core_test(an_infinite_price_keeps_every_weight),
        core_test(the_last_weights_are_exact),
        core_test(many_rows),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
