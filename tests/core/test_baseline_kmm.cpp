// Kernels, and kernel mean matching against known answers and slow independent solvers.
#include "baseline/box_program.hpp"
#include "core/kernels.hpp"

namespace {

void kernels_are_those_of_the_definition() {
    Random random(1);
    const Rows source = random_rows(random, 300, 3, 50.0);
    const Rows target = random_rows(random, 270, 3, 50.5);
    const Samples samples(source, target);
    const PointPair points = point_pair(samples.source, samples.target);
    const arma::mat expected = kernel(source, target, 0.3);
    const arma::mat k = kernel_matrix(points.source, points.target, 0.3, 2);
    const auto &row = points.source.point;
    const auto &col = points.target.point;
    for (std::size_t i = 0; i < 300; ++i)
        for (std::size_t j = 0; j < 270; ++j)
            check_close("kernel", k(row[i], col[j]), expected(i, j), 1e-12);
    const arma::vec a(270, arma::fill::value(0.5));
    const arma::vec sums = kernel_sums(points.source, points.target, a, 0.3, 2);
    for (std::size_t i = 0; i < 300; ++i)
        check_close("sum", sums(row[i]), 0.5 * arma::accu(expected.row(i)), 1e-12);
    const arma::vec alone = kernel_sums(points.source, points.target, a, 0.3, 1);
    check_true("threads change no bit", std::equal(sums.begin(), sums.end(), alone.begin()));
}

void default_gamma_is_one_over_the_median() {
    const auto gamma = [](const Rows &source, const Rows &target) {
        const Samples samples(source, target);
        return default_gamma(point_pair(samples.source, samples.target));
    };
    // Squared distances 1, 9, 4.
    check_close("odd", gamma(column({0}), column({0, 1, 3})), 1.0 / 4.0, 1e-14);
    check_close("repeated rows", gamma(column({0}), column({0, 1, 3, 3, 3})), 1.0 / 4.0, 1e-14);
    // 1, 9, 49, 4, 36, 16.
    check_close("even", gamma(column({0}), column({0, 1, 3, 7})), 2.0 / 25.0, 1e-14);
    check_close("one target row", gamma(column({0, 1}), column({3, 3})), 2.0 / 13.0, 1e-14);
    check_close("one point", gamma(column({2}), column({2, 2})), 1.0, 0.0);
}

void tiles_make_the_cholesky_factor() {
    Random random(2);
    for (const std::size_t n : {1U, 7U, 192U, 193U, 500U}) {
        arma::mat root(n, n);
        for (double &value : root) value = random.normal();
        const arma::mat a = root * root.t() + arma::eye(n, n);
        arma::mat one = a;
        arma::mat two = a;
        check_true("positive definite", factor_cholesky(one, 1) && factor_cholesky(two, 2));
        check_true("threads change no bit", std::equal(one.begin(), one.end(), two.begin()));
        const arma::mat l = arma::trimatl(one);
        check_true("factor", arma::abs(l * l.t() - a).max() < 1e-11 * a.max());
        const arma::vec b(n, arma::fill::ones);
        check_true("solution", arma::abs(a * solve_cholesky(one, b) - b).max() < 1e-8);
    }
    arma::mat indefinite = arma::eye(300, 300);
    indefinite(250, 250) = -1.0;
    check_true("indefinite", !factor_cholesky(indefinite, 2));
}

/** Projection by bisection, and many projected gradient steps with momentum. */
arma::vec slow_minimum(const BandedBox &box, const arma::mat &k, const arma::vec &kappa) {
    const auto project = [&](const arma::vec &z) -> arma::vec {
        const auto at = [&](double t) -> arma::vec {
            return arma::min(arma::max(z - t, arma::vec(z.n_elem, arma::fill::zeros)), box.upper);
        };
        const double sum = arma::accu(at(0.0));
        if (sum >= box.least && sum <= box.most) return at(0.0);
        const double wanted = sum < box.least ? box.least : box.most;
        double low = -1e4;
        double high = 1e4;
        for (int i = 0; i < 100; ++i) {
            const double t = 0.5 * (low + high);
            (arma::accu(at(t)) > wanted ? low : high) = t;
        }
        return at(high);
    };
    const double step = 1.0 / arma::norm(k, 1);
    arma::vec b = project(arma::vec(kappa.n_elem, arma::fill::ones));
    arma::vec y = b;
    double t = 1.0;
    for (int i = 0; i < 20000; ++i) {
        const arma::vec next = project(y - step * (k * y - kappa));
        const bool restart = arma::dot(y - next, next - b) > 0.0;
        const double after = restart ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
        y = next + (restart ? 0.0 : (t - 1.0) / after) * (next - b);
        b = next;
        t = after;
    }
    return b;
}

double quadratic(const arma::mat &k, const arma::vec &kappa, const arma::vec &b) {
    return 0.5 * arma::dot(b, k * b) - arma::dot(kappa, b);
}

void linear_minimum_is_the_lowest() {
    const BandedBox box{arma::vec{2.0, 1.0, 3.0}, 2.5, 4.0};
    const LinearMinimum most = minimize_linear(box, {-1.0, -3.0, -2.0});
    check_true("v", arma::approx_equal(most.v, arma::vec{0.0, 1.0, 3.0}, "absdiff", 0.0));
    const LinearMinimum least = minimize_linear(box, {1.0, 3.0, 2.0});
    check_true("v", arma::approx_equal(least.v, arma::vec{2.0, 0.0, 0.5}, "absdiff", 0.0));
    check_close("nu", least.nu, -2.0, 0.0);
    const LinearMinimum between = minimize_linear(box, {-1.0, 3.0, -2.0});
    check_true("v", arma::approx_equal(between.v, arma::vec{1.0, 0.0, 3.0}, "absdiff", 0.0));
    const LinearMinimum free = minimize_linear(box, {1.0, 3.0, -2.0});
    check_true("v", arma::approx_equal(free.v, arma::vec{0.0, 0.0, 3.0}, "absdiff", 0.0));
    check_close("nu", free.nu, 0.0, 0.0);
}

void matching_known_answers() {
    const Samples two(column({0, 1}), column({0}));
    const Weights wide = match(two, {1.0, 1000.0, 0.5});
    check_close("f", wide.objective, -2.0, 1e-8);
    check_close("q", wide.q[0], 1.0, 1e-7);
    const Weights bounded = match(two, {1.0, 1.5, 0.5});
    check_close("bounded f", bounded.objective, -1.8919169104, 1e-9);
    check_close("bounded q", bounded.q[1], 0.5 * std::exp(-1.0) / (1.5 + 0.5 * std::exp(-1.0)),
                1e-6);

    Random random(3);
    const Rows rows = random_rows(random, 40, 2, 0.0);
    const Weights same = match(Samples(rows, shuffled(rows, 1)), {1.0});
    check_close("same rows: f", same.objective, -0.5 * arma::accu(kernel(rows, rows, 1.0)), 1e-12);
    check_vector("same rows", same.q, std::vector<double>(40, 1.0 / 40.0), 1e-12);

    check_close("one row", match(Samples(column({0}), column({1, 2})), {}).q[0], 1.0, 0.0);
    const Weights one = match(Samples(column({0}), column({1})), {1.0, 1000.0, 0.9});
    check_close("one row: b = kappa", one.objective, -0.5 * std::exp(-2.0), 1e-8);
    check_close("one target row",
                arma::accu(arma::vec(match(Samples(column({0, 1, 2}), column({1})), {}).q)), 1.0,
                1e-14);
}

void matching_equals_a_slow_solver() {
    Random random(4);
    for (int trial = 0; trial < 30; ++trial) {
        const Rows source = random_rows(random, 25, 2, 0.0);
        const Rows target = random_rows(random, trial % 3 == 0 ? 2 : 30, 2, 0.7);
        const double gamma = std::exp(2.0 * random.normal());
        const double bound = trial % 2 == 0 ? 1.2 + 3.0 * random.uniform() : 1000.0;
        const double epsilon =
            std::vector<double>{0.0, 0.05, 0.8}[static_cast<std::size_t>(trial) % 3];
        const std::string where = "trial " + std::to_string(trial);
        const Weights fit = match(Samples(source, target), {gamma, bound, epsilon});
        const arma::mat k = kernel(source, source, gamma);
        const arma::vec kappa =
            arma::sum(kernel(source, target, gamma), 1) * 25.0 / static_cast<double>(target.size());
        const BandedBox box{arma::vec(25, arma::fill::value(bound)), 25.0 * (1.0 - epsilon),
                            25.0 * (1.0 + epsilon)};
        const double slow = quadratic(k, kappa, slow_minimum(box, k, kappa));
        check_true(where + ": converged", fit.termination == Termination::converged);
        check_true(where + ": not above", fit.objective <= slow + 1e-7 * std::abs(slow));
        check_true(where + ": not below", fit.objective >= slow - 1e-5 * std::abs(slow));
        // Some multiple of q must have the objective.
        const arma::vec q(fit.q);
        check_close(where + ": sum", arma::accu(q), 1.0, 1e-13);
        check_true(where + ": range",
                   q.min() >= 0.0 && q.max() * 25.0 * (1.0 - epsilon) <= bound * (1.0 + 1e-8));
        const double size =
            std::clamp(arma::dot(kappa, q) / arma::dot(q, k * q), box.least, box.most);
        check_true(where + ": weights",
                   quadratic(k, kappa, size * q) <= fit.objective + 1e-8 * std::abs(fit.objective));
    }
}

/** More rows than a working set: the certificate holds for all of them. */
void matching_of_many_rows_is_certified() {
    Random random(5);
    const Rows source = random_rows(random, 1500, 4, 0.0);
    const Rows target = random_rows(random, 60, 4, 0.5);
    const arma::mat k = kernel(source, source, 0.1);
    const arma::vec kappa = arma::sum(kernel(source, target, 0.1), 1) * 1500.0 / 60.0;
    for (const double bound : {3.0, 1000.0}) {
        const Weights fit = match(Samples(source, target), {0.1, bound, 0.01}, 1e-6);
        check_true("converged", fit.termination == Termination::converged);
        check_true("gap", fit.duality_gap <= 1e-6 * std::abs(fit.objective));
        const BandedBox box{arma::vec(1500, arma::fill::value(bound)), 1485.0, 1515.0};
        const arma::vec q(fit.q);
        // The scale of b is that of its largest weight, or the best one where none is at the bound.
        const double best = std::clamp(arma::dot(kappa, q) / arma::dot(q, k * q), 1485.0, 1515.0);
        const arma::vec b = std::min(bound / q.max(), best) * q;
        const arma::vec g = k * b - kappa;
        const double gap = arma::dot(g, b - minimize_linear(box, g).v);
        check_true("gap over all rows", gap <= 1e-5 * std::abs(fit.objective));
        check_true("bound", arma::accu(b) > 1485.0 - 1e-6);
    }
}

/** The active set and the interior point method, on programs with every kind of bound. */
void both_methods_of_the_program_agree() {
    Random random(6);
    for (int trial = 0; trial < 60; ++trial) {
        constexpr std::size_t kSize = 40;
        const std::string where = "program " + std::to_string(trial);
        const Rows rows = random_rows(random, kSize, 2, 0.0);
        const double gamma = std::exp(2.0 * random.normal());
        const arma::mat k = kernel(rows, rows, gamma);
        const arma::vec kappa =
            arma::sum(kernel(rows, random_rows(random, kSize, 2, 0.7), gamma), 1);
        const double upper = trial % 2 == 0 ? 1.5 : 100.0;
        const double width =
            std::vector<double>{0.0, 0.05, 0.9}[static_cast<std::size_t>(trial) % 3];
        const BandedBox box{arma::vec(kSize, arma::fill::value(upper)), 40.0 * (1.0 - width),
                            40.0 * (1.0 + width)};
        arma::vec x(kSize, arma::fill::zeros);
        check_true("inside", move_inside(box, x));
        Progress progress{"matching"};
        ProximalStart start{x, 0.0, 1e-4, 0.0, 15};
        const auto ended = [&] {
            return minimize_active_set(box, k, kappa, start, progress, 1, no_control);
        };
        BoxMinimum fast = ended();
        for (; fast.x.is_empty() && start.ridge < 1e4; fast = ended()) start.ridge *= 100.0;
        check_true(where + ": ends", !fast.x.is_empty());
        check_true(where + ": steps told",
                   progress.iteration >= static_cast<std::int64_t>(fast.iterations));
        if (fast.x.is_empty()) continue;
        const arma::mat whole = k + start.ridge * arma::eye(kSize, kSize);
        const arma::vec linear = kappa + start.ridge * x;
        const BoxMinimum slow = minimize_quadratic(box, whole, linear, x, 1e-9, 1, no_control);
        check_close(where, quadratic(whole, linear, fast.x), quadratic(whole, linear, slow.x),
                    1e-9);
        const arma::vec g = whole * fast.x - linear;
        const double gap = arma::dot(g, fast.x - minimize_linear(box, g).v);
        check_true(where + ": gap", std::abs(gap) < 1e-7);
        check_true(where + ": inside", fast.x.min() >= 0.0 && fast.x.max() <= upper &&
                                           arma::accu(fast.x) > box.least - 1e-9 &&
                                           arma::accu(fast.x) < box.most + 1e-9);
    }
}

/** Tolerances that no step of the active set method reaches, and kernels that are all but constant,
 *  or all but diagonal. */
void matching_of_hard_kernels_ends() {
    Random random(7);
    const Rows source = twice(random_rows(random, 400, 2, 0.0));
    const Samples samples(source, random_rows(random, 300, 2, 0.5));
    for (const double gamma : {1e-9, 1e-3, 1.0, 1e4})
        for (const double bound : {1.0, 1.02, 1000.0}) {
            const Weights fit = match(samples, {gamma, bound, 0.01}, 1e-8);
            const std::string where = std::to_string(gamma) + ", " + std::to_string(bound);
            check_true(where + ": ends", fit.termination == Termination::converged);
            check_close(where + ": sum", arma::accu(arma::vec(fit.q)), 1.0, 1e-12);
            const Weights rough = match(samples, {gamma, bound, 0.01}, 1e-3);
            check_true(where + ": bounds", rough.objective - rough.duality_gap <=
                                               fit.objective + 1e-9 * std::abs(fit.objective));
        }
    const Weights exact = match(samples, {1.0}, 1e-300);
    check_true("all of the precision", exact.duality_gap < 1e-9 * std::abs(exact.objective));
}

void matching_refuses() {
    check_error("infeasible", DPA_E_OPTION, [] {
        (void)match(Samples(column({0, 1}), column({0})), {1.0, 0.5, 0.1});
    });
    check_error("no overlap", DPA_E_NUMERICAL, [] {
        (void)match(Samples(column({0, 1}), column({1e3})), {1.0});
    });
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(kernels_are_those_of_the_definition),
        core_test(default_gamma_is_one_over_the_median),
        core_test(tiles_make_the_cholesky_factor),
        core_test(linear_minimum_is_the_lowest),
        core_test(matching_known_answers),
        core_test(matching_equals_a_slow_solver),
        core_test(matching_of_many_rows_is_certified),
        core_test(both_methods_of_the_program_agree),
        core_test(matching_of_hard_kernels_ends),
        core_test(matching_refuses),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
