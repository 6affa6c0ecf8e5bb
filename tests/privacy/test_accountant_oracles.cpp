// The accountant against other ways to the same numbers: direct integration, discretised privacy
// losses, zero-concentrated and Renyi differential privacy, composition of pure totals.
#include <functional>
#include <vector>

#include "privacy/privacy.hpp"

using namespace dpadapt;

namespace {

long double normal_distribution(long double x) { return 0.5L * std::erfc(-x / std::sqrt(2.0L)); }

long double gaussian_delta(long double epsilon, long double mu) {
    return normal_distribution(mu / 2 - epsilon / mu) -
           std::exp(epsilon) * normal_distribution(-mu / 2 - epsilon / mu);
}

/** Mean of the Gaussian delta over the Laplace privacy loss, which is e with probability 1/2, -e
 *  with probability exp(-e)/2, and has density exp((loss - e)/2)/4 between; by Simpson's rule. */
long double integrated_delta(long double epsilon, long double e, long double mu) {
    constexpr int kIntervals = 20000;
    const long double step = 2 * e / kIntervals;
    long double sum = 0.5L * gaussian_delta(epsilon - e, mu) +
                      0.5L * std::exp(-e) * gaussian_delta(epsilon + e, mu);
    for (int k = 0; k <= kIntervals; ++k) {
        const long double loss = k * step - e;
        const int weight = k == 0 || k == kIntervals ? 1 : k % 2 == 0 ? 2 : 4;
        sum += weight * step / 12 * std::exp((loss - e) / 2) * gaussian_delta(epsilon - loss, mu);
    }
    return sum;
}

void direct_integration() {
    constexpr double kPoints[][3] = {{1, 0.5, 0.3}, {0, 1, 0.5},  {5, 0.5, 1},     {10, 5, 1.5},
                                     {4, 3.9, 0.2}, {2, 2, 0.25}, {0.3, 0.8, 0.1}, {-1, 0.5, 0.7},
                                     {15, 10, 3},   {1, 0.1, 2},  {30, 20, 6},     {-3, 1, 0.5}};
    for (const auto &[epsilon, e, mu] : kPoints)
        check_above("delta at " + std::to_string(epsilon), privacy::delta(epsilon, {e, mu}),
                    static_cast<double>(integrated_delta(epsilon, e, mu)) * (1 - 1e-15),
                    tolerance(epsilon, e, mu));
}

/** Probabilities of the losses step * (i - n), i = 0..2n. */
struct LossDistribution {
    double step;
    std::vector<double> mass;

    [[nodiscard]] double delta(double epsilon) const {
        const double n = 0.5 * static_cast<double>(mass.size() - 1);
        double sum = 0.0;
        for (std::size_t i = 0; i < mass.size(); ++i) {
            const double loss = step * (static_cast<double>(i) - n);
            if (loss > epsilon) sum -= mass[i] * std::expm1(epsilon - loss);
        }
        return sum;
    }
};

LossDistribution composed(const LossDistribution &a, const LossDistribution &b) {
    LossDistribution sum{a.step, std::vector<double>(a.mass.size() + b.mass.size() - 1)};
    for (std::size_t i = 0; i < a.mass.size(); ++i)
        for (std::size_t j = 0; j < b.mass.size(); ++j) sum.mass[i + j] += a.mass[i] * b.mass[j];
    return sum;
}

LossDistribution composed(const LossDistribution &a, unsigned times) {
    if (times == 1) return a;
    const LossDistribution half = composed(a, times / 2);
    const LossDistribution even = composed(half, half);
    return times % 2 == 0 ? even : composed(even, a);
}

/** The least pessimistic masses on 2n + 1 losses from -e to e: delta, a convex function of
 *  exp(epsilon), is replaced by its chords. */
LossDistribution laplace_losses(double e, int n) {
    LossDistribution losses{e / n, {}};
    double before = -1.0;  // slope left of the first point
    for (int i = -n; i <= n; ++i) {
        const double low = i * losses.step;
        const auto delta = [&](double epsilon) { return privacy::upper_delta(epsilon, {e}); };
        const double after = i == n ? 0.0
                                    : (delta(low + losses.step) - delta(low)) /
                                          (std::exp(low + losses.step) - std::exp(low));
        losses.mass.push_back(std::exp(low) * (after - before));
        before = after;
    }
    return losses;
}

/** Smallest scales published by google/differential-privacy, to 0.1. */
void many_laplace_releases() {
    struct Case {
        unsigned queries;
        double scale;
        int points;
    };
    for (const auto &[queries, scale, points] : {Case{20, 13.6, 16}, Case{500, 71.0, 4}}) {
        const auto delta = [q = queries, n = points](double b) {
            return composed(laplace_losses(1 / b, n), q).delta(1);
        };
        check_true("enough noise", delta(scale + 0.1) <= 1e-4);
        check_true("too little noise", delta(scale - 0.1) > 1e-4);
        // The accountant adds their epsilons, which is an upper bound.
        const double bound = privacy::delta(1, {queries / scale});
        check_true("never below", bound >= delta(scale));
    }
}

/** Probability of a privacy loss above epsilon: delta less its slope from the right. */
double loss_above(double epsilon, const privacy::Totals &totals) {
    constexpr double kStep = 1e-4;
    const auto delta = [&](int k) { return privacy::delta(epsilon + k * kStep, totals); };
    return delta(0) - (4 * delta(1) - 3 * delta(0) - delta(2)) / (2 * kStep);
}

/** Losses rounded up to multiples of 1, scale 1; published by google/differential-privacy. */
void rounded_laplace_losses() {
    check_close("-1", 1 - loss_above(-1, {1}), 0.18393972, 1e-7);
    check_close("0", loss_above(-1, {1}) - loss_above(0, {1}), 0.11932561, 1e-7);
    check_close("1", loss_above(0, {1}), 0.69673467, 1e-7);
}

/** For two Laplace releases the exact value is known; the sum of the epsilons bounds it. */
void two_laplace_releases() {
    const double e1 = 0.8;
    const double e2 = 1.1;
    const auto exact = [&](double epsilon) {
        const double gap = e1 + e2 - epsilon;
        return 1 - std::exp(-gap / 2) * (1 + std::min(e1, gap / 2) / 2);
    };
    check_close("exact", exact(0.7), 0.28654487307776564, 1e-15);
    for (double epsilon = 0; epsilon < 1.9; epsilon += 0.01)
        check_true("never below", privacy::delta(epsilon, {e1 + e2}) >= exact(epsilon));
}

/** The geometric mechanism with ratio e^-a costs more than the Laplace one at the same epsilon. */
void discrete_laplace_is_not_covered() {
    const double a = 0.5;
    const int sensitivity = 4;
    const auto delta = [&](double epsilon) {
        double sum = 0;
        for (int k = -200; k <= 200; ++k)
            sum += std::tanh(a / 2) *
                   std::max(0.0, std::exp(-a * std::abs(k)) -
                                     std::exp(epsilon - a * std::abs(k - sensitivity)));
        return sum;
    };
    check_close("delta(1)", delta(1), 0.39346934028736658, 1e-14);
    check_close("delta(0.5)", delta(0.5), 0.54202001817102402, 1e-14);
    check_true("not covered", delta(0.5) > 1.01 * privacy::delta(0.5, {a * sensitivity}));
}

double minimum(double low, double high, const std::function<double(double)> &f) {
    for (int k = 0; k < 200; ++k) {
        const double a = low + (high - low) / 3;
        const double b = high - (high - low) / 3;
        (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
    }
    return f(low);
}

/** Canonne, Kamath, Steinke (2020): what rho-zCDP implies, alpha - 1 = e^x. */
double zcdp_delta(double rho, double epsilon) {
    return std::exp(minimum(-12, 12, [&](double x) {
        const double order = 1 + std::exp(x);
        return (order - 1) * (order * rho - epsilon) - x + order * std::log1p(-1 / order);
    }));
}

double zcdp_epsilon(double rho, double delta) {
    return std::max(0.0, minimum(-12, 12, [&](double x) {
                        const double order = 1 + std::exp(x);
                        return order * rho + std::log1p(-1 / order) -
                               std::log(delta * order) / (order - 1);
                    }));
}

void zcdp_is_never_below() {
    check_close("epsilon", zcdp_epsilon(1.0 / 32, 1e-3), 0.6880024554878084, 1e-14);
    check_close("delta", zcdp_delta(1.0 / 32, 0), 0.1508457845622861, 1e-13);
    check_close("delta", zcdp_delta(0.05, 0.25), 0.081772753103695521, 1e-13);
    check_close("delta", zcdp_delta(0.5, 0), 0.55883563934743463, 1e-13);
    check_close("delta", zcdp_delta(1.0 / 32, 1), 1.2253081147396502e-5, 1e-13);
    check_close("delta", zcdp_delta(0.5, 3), 0.0051431840638621493, 1e-13);
    for (const double e : {0.0, 0.1, 1.0, 4.0}) {
        for (const double mu : {0.01, 0.25, 1.0, 5.0}) {
            const double rho = 0.5 * (mu * mu + e * e);
            for (double delta = 0.1; delta > 1e-100; delta /= 10)
                check_true("epsilon", privacy::epsilon(delta, {e, mu}) <= zcdp_epsilon(rho, delta));
            for (double epsilon = 0; epsilon < 20; epsilon += 0.1)
                check_true("delta", privacy::delta(epsilon, {e, mu}) <=
                                        std::max(zcdp_delta(rho, epsilon), 1e-290));
        }
    }
}

/** Epsilon of Renyi differential privacy at a list of orders, and the order that gives it. */
struct RenyiEpsilon {
    double epsilon = 1e300;
    double order = 0;
};

RenyiEpsilon renyi_epsilon(double delta, double most_order, double step,
                           const std::function<double(double)> &renyi) {
    RenyiEpsilon best;
    for (double order = 1 + step; order <= most_order; order += step) {
        const double epsilon =
            renyi(order) + std::log1p(-1 / order) - std::log(delta * order) / (order - 1);
        if (epsilon < best.epsilon) best = {epsilon, order};
    }
    return best;
}

/** Mironov (2017), Laplace with Gaussian. */
double renyi_divergence(double order, double e, double mu) {
    const double laplace =
        std::log((order * std::exp((order - 1) * e) + (order - 1) * std::exp(-order * e)) /
                 (2 * order - 1)) /
        (order - 1);
    return laplace + 0.5 * order * mu * mu;
}

void renyi_is_never_below() {
    const RenyiEpsilon constant = renyi_epsilon(1e-5, 32, 1, [](double) { return 1.1; });
    check_close("constant", constant.epsilon, 1.32783806176, 1e-11);
    check_true("order", constant.order == 32);
    const double sigma = 4.530877117;
    const auto gaussian = [&](double order) { return order / (2 * sigma * sigma); };
    check_close("calibrated", renyi_epsilon(1e-6, 63, 1, gaussian).epsilon, 1, 1e-6);
    check_true("sigma", privacy::sigma(1, 1e-6) < sigma);
    for (const double e : {0.0, 0.1, 1.0, 4.0})
        for (const double mu : {0.05, 0.25, 1.0, 5.0})
            for (double delta = 0.1; delta > 1e-20; delta /= 10) {
                const auto renyi = [&](double order) { return renyi_divergence(order, e, mu); };
                const double bound = std::max(0.0, renyi_epsilon(delta, 100, 0.1, renyi).epsilon);
                check_true("epsilon", privacy::epsilon(delta, {e, mu}) <= bound);
            }
}

/** delta(epsilon) of n composed (1, each)-private releases, by the recursion of one at a time. */
double many_pure_delta(int n, double each, int epsilon) {
    const double p = 1 / (1 + std::exp(-1.0));
    std::vector<double> delta;  // at -100..100 after the releases so far
    for (int k = -100; k <= 100; ++k) delta.push_back(privacy::upper_delta(k, {}));
    for (int release = 0; release < n; ++release) {
        std::vector<double> next = delta;
        for (std::size_t k = 1; k + 1 < delta.size(); ++k)
            next[k] = p * delta[k - 1] + (1 - p) * delta[k + 1];
        delta = next;
    }
    return 1 - std::pow(1 - each, n) * (1 - delta[static_cast<std::size_t>(epsilon + 100)]);
}

void pure_releases() {
    check_true("delta", privacy::delta(3, {0, 0, 1 + 2}) == 0);
    check_true("epsilon", privacy::epsilon(0, {0, 0, 1 + 2}) == 3);
    check_close("with failures", 1 - (1 - 0.1) * (1 - 0.2) * (1 - privacy::delta(3, {0, 0, 3})),
                0.28, 1e-15);
    for (int k = -3; k <= 3; ++k)  // one release by the recursion is what the accountant composes
        check_close("one", many_pure_delta(1, 0, k), privacy::delta(k, {0, 0, 1}), 1e-12);
    // 30 releases: the smallest epsilon among the parities of 30, as published.
    check_true("22", many_pure_delta(30, 1e-3, 22) <= 0.06 && many_pure_delta(30, 1e-3, 20) > 0.06);
    check_true("20", many_pure_delta(30, 1e-3, 20) <= 0.1 && many_pure_delta(30, 1e-3, 18) > 0.1);
    for (int k = 0; k < 30; ++k)
        check_true("never below", privacy::delta(k, {0, 0, 30}) >= many_pure_delta(30, 0, k));
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(direct_integration),
        core_test(many_laplace_releases),
        core_test(rounded_laplace_losses),
        core_test(two_laplace_releases),
        core_test(discrete_laplace_is_not_covered),
        core_test(zcdp_is_never_below),
        core_test(renyi_is_never_below),
        core_test(pure_releases),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
