// Minimization over a ball of functions whose minima are known otherwise, and of hostile ones.
#include <functional>
#include <limits>

#include "base/error.hpp"
#include "core.hpp"
#include "linalg/smooth_minimum.hpp"
#include "linalg/trust_region.hpp"

using namespace dpadapt;
using arma::mat;
using arma::vec;
using linalg::SmoothLimits;
using linalg::SmoothMinimum;
using linalg::SmoothStop;

namespace {

using Evaluate = std::function<double(const vec &, vec &)>;
using Curvature = std::function<mat(const vec &)>;

/** A function that watches how it is called. */
struct Watched : linalg::SmoothFunction {
    Watched(Evaluate value, double ball, Curvature hessian = {})
        : evaluate_(std::move(value)), curvature_(std::move(hessian)), radius(ball) {}

    double evaluate(const vec &x, vec &gradient) override {
        ++evaluations;
        check_true("evaluated in the ball", arma::norm(x) <= radius * (1 + 1e-14));
        last = x;
        return evaluate_(x, gradient);
    }
    mat curvature(const vec &x) override {
        if (!curvature_) return {};
        check_true("curvature where evaluated last", arma::approx_equal(x, last, "absdiff", 0.0));
        return curvature_(x);
    }

    vec diagonal(const vec &x) override { return diagonal_ ? diagonal_(x) : vec(); }

    Evaluate evaluate_;
    Curvature curvature_;
    std::function<vec(const vec &)> diagonal_;
    double radius;
    int evaluations = 0;
    vec last;
};

/** Minimum, with the checks that hold for every function. */
SmoothMinimum minimize(const char *name, Watched &function, const vec &start, double tolerance,
                       std::size_t iterations) {
    double value = std::numeric_limits<double>::infinity();
    std::size_t calls = 0;
    const auto watch = [&](std::size_t iteration, double now, double gap) {
        check_true("numbered", iteration == calls++);
        check_true("monotone", now <= value + 1e-12 * std::abs(value));
        check_true("gap", gap >= 0.0);
        value = now;
    };
    const SmoothMinimum found =
        linalg::minimize_smooth(function, start, {function.radius, tolerance, iterations}, watch);
    vec gradient;
    check_true(name, function.evaluate_(found.x, gradient) == found.value);
    check_true(name, arma::approx_equal(gradient, found.gradient, "absdiff", 0.0));
    check_true(name, found.value == value && calls == found.iterations + 1);
    return found;
}

vec random_vector(Random &random, arma::uword n) {
    vec x(n);
    x.imbue([&] { return random.normal(); });
    return x;
}

void quadratics() {
    Random random(7);
    for (int trial = 0; trial < 60; ++trial) {
        const auto n = static_cast<arma::uword>(trial < 12 ? 1 + trial % 3 : 5 + trial);
        mat a(n, n);
        a.imbue([&] { return random.normal(); });
        const mat h = a.t() * a + 0.1 * arma::eye(n, n);
        const vec g = random_vector(random, n);
        const double inside = arma::norm(arma::solve(h, g));
        const double radius = (trial % 2 == 0 ? 0.3 : 3.0) * inside;
        const auto expected = linalg::minimize_in_ball(linalg::decompose(h), g, radius);
        const Evaluate value = [&](const vec &x, vec &gradient) {
            gradient = h * x + g;
            return 0.5 * arma::dot(x, h * x) + arma::dot(g, x);
        };
        for (const bool newton : {false, true}) {
            Watched function(value, radius,
                             newton ? Curvature([&](const vec &) { return h; }) : Curvature());
            const auto found = minimize(newton ? "newton quadratic" : "quadratic", function,
                                        random_vector(random, n), 1e-9, 2000);
            check_true("quadratic converges", found.stop == SmoothStop::converged);
            check_close("quadratic", found.value, expected.value, 1e-8);
            check_true("gap bounds", found.value - found.gap <= expected.value * (1 - 1e-14));
            if (newton) check_true("Newton's method needs one step", found.iterations <= 2);
        }
    }
}

/** Mean logistic loss with features whose scales span six orders of magnitude. */
struct Logistic {
    explicit Logistic(arma::uword n, arma::uword k) : z(n, k) {
        Random random(11);
        z.imbue([&] { return random.normal(); });
        for (arma::uword j = 0; j < k; ++j)
            z.col(j) *= std::pow(10.0, -3.0 * static_cast<double>(j) / static_cast<double>(k - 1));
        for (arma::uword i = 0; i < n; ++i)
            if (random.uniform() < 0.5) z.row(i) *= -1.0;
        z.col(0) += 0.5;
    }
    double operator()(const vec &x, vec &gradient) const {
        const vec margin = z * x;
        const vec weight = 1.0 / (1.0 + arma::exp(margin));
        gradient = -z.t() * weight / static_cast<double>(z.n_rows);
        return arma::mean(arma::log1p(arma::exp(-arma::abs(margin))) +
                          arma::clamp(-margin, 0.0, arma::datum::inf));
    }
    mat curvature(const vec &x) const {
        const vec p = 1.0 / (1.0 + arma::exp(z * x));
        return z.t() * arma::diagmat(p % (1.0 - p)) * z / static_cast<double>(z.n_rows);
    }
    mat z;
};

/** In the ball and on its sphere. */
void columns_of_any_units_take_few_iterations() {
    const Logistic logistic(400, 12);
    for (const double radius : {0.5, 20.0, 1e4}) {
        Watched newton(logistic, radius, [&](const vec &x) { return logistic.curvature(x); });
        const auto exact = minimize("newton", newton, arma::zeros(12), 0.0, 200);
        Watched scaled(logistic, radius);
        scaled.diagonal_ = [&](const vec &x) { return vec(logistic.curvature(x).diag()); };
        const auto found = minimize("scaled", scaled, arma::zeros(12), 1e-9, 3000);
        check_close("scaled", found.value, exact.value, 1e-9);
        check_true("few iterations", found.stop == SmoothStop::converged && found.iterations <= 30);
    }
}

void ill_conditioned_logistic() {
    const Logistic logistic(400, 12);
    for (const double radius : {0.5, 20.0, 1e4}) {
        Watched newton(logistic, radius, [&](const vec &x) { return logistic.curvature(x); });
        Watched plain(logistic, radius);
        const auto exact = minimize("newton logistic", newton, arma::zeros(12), 0.0, 200);
        const auto found = minimize("logistic", plain, arma::zeros(12), 1e-9, 3000);
        check_true("Newton's gap", exact.gap <= 1e-12 * exact.value);
        check_close("logistic", found.value, exact.value, 1e-9);
        check_true("logistic's evaluations", newton.evaluations < 40 && plain.evaluations < 1500);
        check_true("logistic", linalg::gradient_mapping(found.x, found.gradient, radius) < 1e-5);
    }
}

double rosenbrock(const vec &x, vec &gradient) {
    double value = 0.0;
    gradient.zeros(x.n_elem);
    for (arma::uword i = 0; i + 1 < x.n_elem; ++i) {
        const double a = x(i + 1) - x(i) * x(i);
        const double b = 1.0 - x(i);
        value += 100.0 * a * a + b * b;
        gradient(i) += -400.0 * a * x(i) - 2.0 * b;
        gradient(i + 1) += 200.0 * a;
    }
    return value;
}

void rosenbrock_in_balls() {
    vec start(10);
    for (arma::uword i = 0; i < 10; ++i) start(i) = i % 2 == 0 ? -1.2 : 1.0;
    for (const double radius : {0.5 * std::sqrt(10.0), 100.0}) {
        Watched function(rosenbrock, radius);
        const auto found = minimize("rosenbrock", function, start, 0.0, 1000);
        check_true("rosenbrock", linalg::gradient_mapping(found.x, found.gradient, radius) < 1e-7);
        // Rounding decides whether the last steps hit the point whose computed gradient is 0.
        const auto end = found.gap == 0.0 ? SmoothStop::converged : SmoothStop::precision;
        check_true("rosenbrock at the limit of precision", found.stop == end);
        check_true("rosenbrock's evaluations", function.evaluations < 200);

        Watched again(rosenbrock, radius);
        const auto same = minimize("rosenbrock again", again, start, 0.0, 1000);
        check_true("same bits", arma::approx_equal(same.x, found.x, "absdiff", 0.0));
    }
    Watched function(rosenbrock, 100.0);
    const auto found = minimize("minimum of 0", function, start, 1e-6, 1000);
    check_true("minimum of 0", found.stop == SmoothStop::converged && found.value < 1e-15);
    check_true("rosenbrock's minimizer", arma::norm(found.x - 1.0) < 1e-6);
}

/** sum exp(400 x_i) - x_i: flat where it starts, infinite soon after its minimum. */
void trial_points_that_overflow() {
    int infinite = 0;
    const Evaluate value = [&](const vec &x, vec &gradient) {
        const vec power = arma::exp(400.0 * x);
        gradient = 400.0 * power - 1.0;
        infinite += power.is_finite() ? 0 : 1;
        return arma::accu(power) - arma::accu(x);
    };
    const Curvature curvature = [](const vec &x) -> mat {
        return arma::diagmat(160000.0 * arma::exp(400.0 * x));
    };
    for (const bool newton : {false, true}) {
        Watched function(value, 1000.0, newton ? curvature : Curvature());
        infinite = 0;
        const auto found = minimize(newton ? "newton overflow" : "overflow", function,
                                    vec{-300.0, -300.5, -301.0}, 1e-9, 500);
        check_true("overflow met", infinite > 0);
        check_true("long way", function.evaluations < 150);
        check_close("overflow", found.value, 3 * (1 + std::log(400.0)) / 400, 1e-8);
    }
}

void functions_that_are_not_convex() {
    Random random(5);
    for (int trial = 0; trial < 20; ++trial) {
        const double radius = trial % 2 == 0 ? 1.0 : 5.0;
        const vec center = random_vector(random, 8);
        Watched concave(
            [&](const vec &x, vec &gradient) {
                gradient = center - x;
                return -0.5 * arma::dot(x - center, x - center);
            },
            radius);
        const auto far = minimize("concave", concave, random_vector(random, 8), 1e-12, 500);
        check_true("concave",
                   arma::norm(far.x + radius * arma::normalise(center)) <= 1e-5 * radius);

        mat h(8, 8);
        h.imbue([&] { return random.normal(); });
        h = arma::symmatu(h);
        Watched indefinite(
            [&](const vec &x, vec &gradient) {
                gradient = h * x + center;
                return 0.5 * arma::dot(x, h * x) + arma::dot(center, x);
            },
            radius);
        const auto found = minimize("indefinite", indefinite, random_vector(random, 8), 1e-10, 500);
        check_true("indefinite converges", found.stop == SmoothStop::converged);
        check_close("on the sphere", arma::norm(found.x), radius, 1e-12);
        check_true("boundary stationary point",
                   linalg::gradient_mapping(found.x, found.gradient, radius) <= 1e-3);
    }
}

/** Trimmed least squares, the sum of min(residual^2, 4): the gradient jumps, to a lower slope,
 *  where a row is dropped. The minimizer is the fit of the rows that it keeps. */
void upper_kinks() {
    Random random(3);
    int jumps = 0;
    for (int trial = 0; trial < 20; ++trial) {
        mat z(100, 8);
        z.imbue([&] { return random.normal(); });
        z.each_row() %= arma::logspace<arma::rowvec>(0, -1, 8);
        const vec label = z * random_vector(random, 8) + random_vector(random, 100);
        arma::uvec kept;
        Watched function(
            [&](const vec &x, vec &gradient) {
                const vec residual = z * x - label;
                const arma::uvec now = arma::find(arma::abs(residual) < 2.0);
                jumps += now.n_elem != kept.n_elem ? 1 : 0;
                kept = now;
                gradient = 2.0 * z.rows(now).t() * residual(now);
                return arma::accu(arma::clamp(arma::square(residual), 0.0, 4.0));
            },
            50.0);
        const auto found =
            minimize("upper kink", function, 2.0 * random_vector(random, 8), 1e-9, 500);
        check_true("upper kink converges", found.stop == SmoothStop::converged);
        const vec fit = arma::solve(z.rows(kept), vec(label(kept)));
        check_true("upper kink", arma::norm(found.x - fit) < 1e-6);
        check_true("evaluations at kinks", function.evaluations < 250);
    }
    check_true("kinks met", jumps > 200);
}

void small_balls_and_one_dimension() {
    const auto parabola = [](const vec &x, vec &gradient) {
        gradient = x - 2.0;
        return 0.5 * arma::dot(gradient, gradient) - 1.0;
    };
    const auto one = [](const vec &x) { return mat(arma::eye(x.n_elem, x.n_elem)); };
    for (const bool newton : {false, true}) {
        const Curvature curvature = newton ? Curvature(one) : Curvature();
        for (const double radius : {0.0, 1e-12, 1.0, 3.0}) {
            Watched function(parabola, radius, curvature);
            const auto found = minimize("one dimension", function, vec{-5.0}, 1e-12, 50);
            check_close("one dimension", found.x(0), std::min(radius, 2.0), 1e-11);
            check_true("one dimension converges", found.stop == SmoothStop::converged);
        }
        Watched function(parabola, 1e-12, curvature);
        const auto found = minimize("small ball", function, {-1.0, 2.0, 0.0}, 0.0, 50);
        check_true("small ball", arma::norm(found.x - 1e-12 / std::sqrt(3.0)) <= 1e-20);
    }
}

void limits_and_failures() {
    Watched function(rosenbrock, 3.0);
    const vec start = {-1.2, 1.0};
    const auto first = minimize("no iterations", function, start, 0.0, 0);
    check_true("no iterations", first.stop == SmoothStop::iterations && first.iterations == 0 &&
                                    arma::norm(first.x - start) == 0.0);
    const auto third = minimize("three iterations", function, start, 0.0, 3);
    check_true("three iterations", third.stop == SmoothStop::iterations && third.iterations == 3);

    struct Cancelled {};
    int calls = 0;
    try {
        const auto cancel = [&](std::size_t, double, double) {
            if (++calls == 3) throw Cancelled();
        };
        (void)linalg::minimize_smooth(function, start, {3.0, 0.0, 100}, cancel);
        check_true("cancelled", false);
    } catch (const Cancelled &) {
        check_true("cancelled where asked to", calls == 3);
    }

    const double infinity = std::numeric_limits<double>::infinity();
    for (const double bad : {infinity, -infinity, std::nan("")})
        for (const bool gradient_too : {false, true}) {
            Watched hostile(
                [&](const vec &x, vec &gradient) {
                    gradient = gradient_too ? vec(bad + x) : x;
                    return gradient_too ? 1.0 : bad;
                },
                1.0);
            try {
                (void)linalg::minimize_smooth(hostile, start, {1.0, 0.0, 100});
                check_true("not finite at the start", false);
            } catch (const Error &error) {
                check_true("numerical failure", error.status() == DPA_E_NUMERICAL);
            }
        }
}

void gradient_mappings() {
    check_close("inside", linalg::gradient_mapping({0.0, 1.0}, {3.0, 1.0}, 10.0), std::sqrt(10.0),
                1e-15);
    check_close("leaving", linalg::gradient_mapping({1.0, 0.0}, {0.0, -1.0}, 1.0),
                std::sqrt(2.0 - std::sqrt(2.0)), 1e-15);
    check_true("outward", linalg::gradient_mapping({1.0, 0.0}, {-5.0, 0.0}, 1.0) == 0.0);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(quadratics),
        core_test(columns_of_any_units_take_few_iterations),
        core_test(ill_conditioned_logistic),
        core_test(rosenbrock_in_balls),
        core_test(trial_points_that_overflow),
        core_test(functions_that_are_not_convex),
        core_test(upper_kinks),
        core_test(small_balls_and_one_dimension),
        core_test(limits_and_failures),
        core_test(gradient_mappings),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
