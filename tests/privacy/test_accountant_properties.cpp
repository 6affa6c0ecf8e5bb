// What must hold for all arguments: order, inverses on the safe side, agreement where formulas
// meet, numbers everywhere.
#include <functional>

#include "base/error.hpp"
#include "privacy/privacy.hpp"

using namespace dpadapt;

namespace {

/** Values on a grid never fall (sign 1) or rise (-1), but for changes of the rounding allowance,
 *  which itself falls as mu grows. */
void check_monotone(const std::string &what, int sign, double low, double high, int points,
                    const std::function<double(double)> &f) {
    double before = f(low);
    for (int k = 1; k <= points; ++k) {
        const double x = low + (high - low) * k / points;
        const double value = f(x);
        check_true(what + " at " + std::to_string(x), sign * (value - before) >= -1e-12 * before);
        before = value;
    }
}

void delta_is_monotone() {
    for (const double fixed : {0.0, 1e-3, 0.05, 0.3, 1.0, 4.0, 20.0, 50.0}) {
        for (const double e : {0.0, 1e-6, 0.1, 1.0, 7.0, 40.0, 300.0}) {
            const std::string at = " with " + std::to_string(e) + ", " + std::to_string(fixed);
            check_monotone("epsilon" + at, -1, -50, 600, 13000, [&](double x) {
                return privacy::delta(x, {e, fixed});
            });
            check_monotone("mu" + at, 1, 0, 50, 5000, [&](double x) {
                return privacy::delta(fixed, {e, x});
            });
            check_monotone("laplace_epsilon" + at, 1, 0, 300, 3000, [&](double x) {
                return privacy::delta(e, {x, fixed});
            });
            check_monotone("pure_epsilon" + at, 1, 0, 20, 1000, [&](double x) {
                return privacy::delta(e, {0.5, fixed, x});
            });
        }
    }
}

void inverses_are_monotone() {
    for (const double e : {0.0, 0.1, 1.0}) {
        for (const double mu : {0.01, 0.3, 2.0}) {
            check_monotone("epsilon by log delta", -1, -600, -0.1, 500, [&](double x) {
                return privacy::epsilon(std::exp(x), {e, mu});
            });
            check_monotone("epsilon by mu", 1, 0, 10, 500, [&](double x) {
                return privacy::epsilon(1e-6, {e, x});
            });
            check_monotone("epsilon by laplace_epsilon", 1, 0, 30, 500, [&](double x) {
                return privacy::epsilon(1e-6, {x, mu});
            });
            check_monotone("mu by epsilon", 1, e + 0.1, 100, 500,
                           [&](double x) { return privacy::mu(x, 1e-6, {e}); });
            check_monotone("mu by log delta", 1, -600, -0.1, 500,
                           [&](double x) { return privacy::mu(2, std::exp(x), {e}); });
            check_monotone("mu by laplace_epsilon", -1, 0, 9.9, 500,
                           [&](double x) { return privacy::mu(10, 1e-6, {x}); });
        }
    }
    check_monotone("sigma", -1, 0.1, 100, 500, [](double x) { return privacy::sigma(x, 1e-6); });
}

/** Nothing above the delta asked for, and hardly anything below it. */
void inverses_meet_delta() {
    for (double delta = 0.3; delta > 1e-290; delta *= 1e-3) {
        for (const double e : {0.0, 0.1, 1.0, 5.0}) {
            for (const double mu : {2e-4, 0.01, 0.25, 1.0, 8.0}) {
                const privacy::Totals totals{e, mu, mu < 1 ? 0.0 : 0.5};
                const double epsilon = privacy::epsilon(delta, totals);
                check_true("epsilon", privacy::delta(epsilon, totals) <= delta);
                if (epsilon > 0)
                    check_true("epsilon is smallest",
                               privacy::delta(epsilon * (1 - 1e-9), totals) > delta);
            }
            for (const double epsilon : {0.1, 1.0, 6.0, 100.0}) {
                if (epsilon < e + 0.1) continue;
                const double mu = privacy::mu(epsilon, delta, {e});
                check_true("mu", privacy::delta(epsilon, {e, mu}) <= delta);
                check_true("mu is largest", privacy::delta(epsilon, {e, mu * (1 + 1e-9)}) > delta);
                const double sigma = privacy::sigma(epsilon, delta);
                check_true("sigma", privacy::delta(epsilon, {0, 1 / sigma}) <= delta);
            }
        }
    }
}

/** The delta of an epsilon, taken back: never below the exact epsilon, which has less delta. */
void delta_and_back() {
    for (double epsilon = 0.01; epsilon < 60; epsilon *= 1.3) {
        for (const double mu : {0.02, 0.3, 2.0}) {
            const double delta = privacy::delta(epsilon, {0.2, mu});
            if (delta < 1e-280) continue;
            check_close("epsilon", privacy::epsilon(delta, {0.2, mu}), epsilon, 1e-11);
            check_close("mu", privacy::mu(epsilon, delta, {0.2}), mu, 1e-11);
        }
    }
}

/** The three formulas and the limit of no Gaussian release meet without a step. */
void formulas_agree_at_their_borders() {
    for (const double mu : {1e-4, 0.01, 0.3, 2.0, 10.0, 30.0}) {
        for (const double e : {0.1, 1.0, 30.0}) {
            for (const double border : {e, e + 0.5 * mu * mu}) {
                if (border > 599) continue;
                const double step = 1e-14 * border;
                const double left = privacy::delta(border - step, {e, mu});
                const double right = privacy::delta(border + step, {e, mu});
                // The slope in epsilon is at most delta itself and the density phi(t)/mu.
                const double rtol =
                    tolerance(border + step, e, mu) + 2 * step * (1 + 1 / mu) / left;
                check_close("at " + std::to_string(border), left, right, rtol);
            }
        }
    }
    for (const double e : {0.5, 1.0, 20.0})
        for (double epsilon = 0.1; epsilon < 0.9 * e; epsilon += 0.05)
            check_close("mu to 0", privacy::delta(epsilon, {e, 1e-4}), privacy::delta(epsilon, {e}),
                        1e-7);
    for (double epsilon = 0; epsilon < 20; epsilon += 0.1) {
        check_close("laplace_epsilon to 0", privacy::delta(epsilon, {1e-13, 1.5}),
                    privacy::delta(epsilon, {0, 1.5}), 1e-10);
        check_close("pure_epsilon to 0", privacy::delta(epsilon, {0.5, 1.5, 1e-13}),
                    privacy::delta(epsilon, {0.5, 1.5}), 1e-10);
    }
    const double delta = privacy::delta(0.0, {1, 0.3});
    check_close("epsilon to 0 from below", privacy::delta(-1e-300, {1, 0.3}), delta, 1e-15);
}

/** mu of composed Gaussian releases: squares add, in whatever order and grouping. */
void mu_adds_in_squares() {
    const double whole = privacy::mu(1, 1e-6, {0.1});
    const double step = whole / std::sqrt(100);
    double sum = 0;
    for (int k = 0; k < 100; ++k) sum += step * step;
    check_close("delta", privacy::delta(1, {0.1, std::sqrt(sum)}), 1e-6, 1e-12);
}

double random_scale(Random &random, double low, double high) {
    return low * std::pow(high / low, random.uniform());
}

/** Everywhere in the accepted range the results are numbers in theirs. */
void numbers_everywhere() {
    Random random(11);
    for (int k = 0; k < 100000; ++k) {
        const double e = k % 5 == 0 ? 0.0 : random_scale(random, 1e-12, 300);
        const double mu = k % 7 == 0 ? 0.0 : random_scale(random, 1e-8, 50);
        const double pure = k % 3 == 0 ? random_scale(random, 1e-8, 300) : 0.0;
        const double sign = k % 4 == 0 ? -1 : 1;
        const double epsilon = sign * random_scale(random, 1e-8, 600);
        const double delta = privacy::delta(epsilon, {e, mu, pure});
        check_true("delta", delta >= 0 && delta <= 1);
        check_true("below the trivial bound", delta >= -std::expm1(epsilon));
        if (k % 20 != 0) continue;
        const double wanted = random_scale(random, 1e-300, 0.99);
        const double small_mu = std::min(mu, 10.0);
        const double smallest = privacy::epsilon(wanted, {0.3 * e, small_mu});
        check_true("epsilon", smallest >= 0 && smallest <= 600);
        const double largest = privacy::mu(0.01 + e, wanted, {0.5 * e});
        check_true("mu", largest >= privacy::kLeastMu && largest <= 50);
    }
}

void limits_of_the_inverses() {
    check_true("no noise needed", privacy::epsilon(0.999, {0, 1}) == 0);
    check_true("largest mu", privacy::mu(600, std::nextafter(1, 0), {}) < 50);
    check_true("no release", privacy::epsilon(0, {}) == 0 && privacy::delta(0, {}) == 0);
    const auto status = [](const std::function<double()> &call) {
        try {
            (void)call();
        } catch (const Error &error) {
            return error.status();
        }
        return DPA_OK;
    };
    for (const auto &call : std::initializer_list<std::function<double()>>{
             [] {
                 return privacy::epsilon(1e-5, {0, 50});
             },
             [] {
                 return privacy::epsilon(0, {0, 1});
             },
             [] { return privacy::mu(1, 1e-5, {1.5}); },
             [] { return privacy::mu(1, 0, {0.5}); },
             [] {
                 return privacy::mu(1, 1e-5, {0.5, 0, 0.6});
             },
             [] { return privacy::sigma(0, 1e-9); },
             [] {
                 return privacy::delta(1, {0, 0, -1});
             },
             [] {
                 return privacy::delta(1, {0, 0, 301});
             },
         })
        check_true("rejected", status(call) == DPA_E_INVALID_ARGUMENT);
    check_true("others.mu is not read", privacy::mu(1, 1e-5, {0.5, NAN}) > 0);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(delta_is_monotone),
        core_test(inverses_are_monotone),
        core_test(inverses_meet_delta),
        core_test(delta_and_back),
        core_test(formulas_agree_at_their_borders),
        core_test(mu_adds_in_squares),
        core_test(numbers_everywhere),
        core_test(limits_of_the_inverses),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
