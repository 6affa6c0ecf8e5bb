// Kernel mean matching, KLIEP and least-squares importance fitting against known answers and slow independent solvers.
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "base/splitmix.hpp"
#include "baseline/box_program.hpp"
#include "baseline/cholesky.hpp"
#include "baseline/kliep.hpp"
#include "baseline/kmm.hpp"
#include "baseline/ulsif.hpp"
#include "core/core.hpp"

using namespace dpadapt;
using namespace dpadapt::baseline;

namespace {

using Rows = std::vector<std::vector<double>>;

constexpr Limits kLimits{1e-9, 1000, 2};

/** Both samples as methods get them, in the coordinates of the rows themselves. */
class Samples {
  public:
    Samples(const Rows &from, const Rows &to, PreprocessKind kind = PreprocessKind::none)
        : source_(copy(from)),
          target_(copy(to)),
          preprocess_(source_, settings(kind)),
          source(source_, preprocess_, 2),
          target(target_, preprocess_, 2) {}

  private:
    static Settings settings(PreprocessKind kind) {
        Settings settings{};
        settings.preprocess = kind;
        settings.whiten_ridge = 1e-3;
        settings.threads = 1;
        return settings;
    }

    static Sample copy(const Rows &rows) {
        std::vector<double> x;
        for (const auto &row : rows) x.insert(x.end(), row.begin(), row.end());
        const std::vector<double> y(rows.size(), 0.0);
        const std::size_t d = rows.front().size();
        return Sample::copy({x.data(), rows.size(), d, d, true}, y.data());
    }

    Sample source_;
    Sample target_;
    Preprocess preprocess_;

  public:
    PreparedSample source;
    PreparedSample target;
};

Rows column(const std::vector<double> &values) {
    Rows rows;
    for (const double value : values) rows.push_back({value});
    return rows;
}

Rows random_rows(Random &random, std::size_t n, std::size_t d, double mean) {
    Rows rows(n, std::vector<double>(d));
    for (auto &row : rows)
        for (double &value : row) value = mean + random.normal();
    return rows;
}

Rows shuffled(Rows rows, std::uint64_t seed) {
    const auto order = SplitMix64(seed).draw(rows.size(), rows.size());
    Rows result;
    for (const std::size_t i : order) result.push_back(rows[i]);
    return result;
}

Rows twice(const Rows &rows) {
    Rows result = rows;
    result.insert(result.end(), rows.begin(), rows.end());
    return result;
}

double kernel(const std::vector<double> &x, const std::vector<double> &z, double gamma) {
    double square = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) square += (x[k] - z[k]) * (x[k] - z[k]);
    return std::exp(-gamma * square);
}

arma::mat kernel(const Rows &x, const Rows &z, double gamma) {
    arma::mat k(x.size(), z.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < z.size(); ++j) k(i, j) = kernel(x[i], z[j], gamma);
    return k;
}

void check_vector(const std::string &what, const std::vector<double> &a,
                  const std::vector<double> &b, double rtol) {
    check_true(what + ": length", a.size() == b.size());
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        check_close(what + " " + std::to_string(i), a[i], b[i], rtol);
}

void check_error(const std::string &what, dpa_status status, const std::function<void()> &call) {
    try {
        call();
        check_true(what + ": must fail", false);
    } catch (const Error &error) {
        check_true(what + ": " + error.what(), error.status() == status);
    }
}

/** A method as a function of its samples. */
using Method = std::function<Weights(const Samples &)>;

NoControl no_control;

Weights match(const Samples &samples, const MatchingOptions &options, double tolerance = 1e-9) {
    return kernel_mean_matching(samples.source, samples.target, options, {tolerance, 0, 2},
                                no_control);
}

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

void matching_refuses() {
    check_error("infeasible", DPA_E_OPTION, [] {
        (void)match(Samples(column({0, 1}), column({0})), {1.0, 0.5, 0.1});
    });
    check_error("bound", DPA_E_OPTION, [] {
        (void)match(Samples(column({0, 1}), column({0})), {1.0, 0.0});
    });
    check_error("gamma", DPA_E_OPTION, [] {
        (void)match(Samples(column({0, 1}), column({0})), {-1.0});
    });
    check_error("tolerance", DPA_E_OPTION, [] {
        (void)match(Samples(column({0, 1}), column({0})), {1.0, 10.0, -0.1});
    });
    check_error("no overlap", DPA_E_NUMERICAL, [] {
        (void)match(Samples(column({0, 1}), column({1e3})), {1.0});
    });
}

RatioFit likelihood_fit(const Samples &samples, const LikelihoodOptions &options) {
    return kliep(samples.source, samples.target, options, kLimits, no_control);
}

void likelihood_known_answers() {
    const Samples samples(column({0, 1}), column({0, 0, 1}));
    const RatioFit fit = likelihood_fit(samples, {1.0});
    const double e = std::exp(-1.0);
    const double beta = (2.0 - e) / (3.0 * (1.0 - e));
    check_close("value", fit.weights.objective, 0.0566330123, 1e-8);
    check_close("beta", fit.ratio.coefficients(0) * 0.5 * (1.0 + e), beta, 1e-5);
    check_close("beta", beta, 0.8606589023, 1e-9);
    check_vector("weights", fit.ratio.values(samples.source, 1), {4.0 / 3.0, 2.0 / 3.0}, 1e-5);
    check_vector("q", fit.weights.q, {2.0 / 3.0, 1.0 / 3.0}, 1e-5);

    const Samples one(column({0, 1, 2}), column({1}));
    const RatioFit single = likelihood_fit(one, {0.5});
    check_close("one center: 1 / b", single.ratio.coefficients(0),
                3.0 / (1.0 + 2.0 * std::exp(-0.5)), 1e-12);
    check_true("gamma by itself", likelihood_fit(one, {}).ratio.gamma > 0.0);
}

/** Expectation maximization alone, for long. */
double slow_likelihood(const arma::mat &p) {
    arma::vec beta(p.n_cols, arma::fill::value(1.0 / static_cast<double>(p.n_cols)));
    for (int i = 0; i < 100000; ++i) beta %= arma::mean(p.each_col() / (p * beta), 0).t();
    return arma::mean(arma::log(p * beta));
}

void likelihood_equals_a_slow_solver() {
    Random random(6);
    for (int trial = 0; trial < 8; ++trial) {
        const Rows source = random_rows(random, 30, 2, 0.0);
        const Rows target = random_rows(random, 12, 2, 0.7);
        const double gamma = std::exp(random.normal());
        const Samples samples(source, target);
        const RatioFit fit = likelihood_fit(samples, {gamma});
        check_true("converged", fit.weights.termination == Termination::converged);
        check_true("gap", fit.weights.duality_gap <= kLimits.tolerance);
        const arma::mat b = arma::mean(kernel(source, target, gamma), 0);
        const arma::mat p = kernel(target, target, gamma).each_row() / arma::rowvec(b);
        const double slow = slow_likelihood(p);
        check_true("not below", fit.weights.objective >= slow - 1e-9);
        check_true("not above", fit.weights.objective <= slow + 1e-4);
        const std::vector<double> on_target = fit.ratio.values(samples.target, 2);
        double value = 0.0;
        for (const double w : on_target) value += std::log(w) / 12.0;
        check_close("value out of sample", value, fit.weights.objective, 1e-9);
        const std::vector<double> w = fit.ratio.values(samples.source, 2);
        check_close("mean over the source", arma::mean(arma::vec(w)), 1.0, 1e-12);
        for (std::size_t i = 0; i < w.size(); ++i)
            check_close("q", fit.weights.q[i], w[i] / 30.0, 1e-10);
    }
}

void likelihood_of_equal_samples() {
    Random random(7);
    const Rows rows = random_rows(random, 60, 1, 0.0);
    const RatioFit fit = likelihood_fit(Samples(rows, rows), {1e-3});
    check_true("value", std::abs(fit.weights.objective) < 1e-5);
    for (const double q : fit.weights.q) check_close("near uniform", q, 1.0 / 60.0, 0.01);
}

void likelihood_refuses() {
    const Samples apart(column({0, 1}), column({1e3, 1e3 + 1}));
    check_error("no overlap", DPA_E_NUMERICAL, [&] { (void)likelihood_fit(apart, {1.0}); });
    const Samples partly(column({0, 1}), column({0, 1e3}));
    check_error("a row without source", DPA_E_NUMERICAL,
                [&] { (void)likelihood_fit(partly, {1.0}); });
    check_error("centers", DPA_E_OPTION, [&] { (void)likelihood_fit(partly, {1.0, 0}); });
    check_error("gamma", DPA_E_OPTION, [&] { (void)likelihood_fit(partly, {0.0}); });
}

RatioFit squares_fit(const Samples &samples, const LeastSquaresOptions &options) {
    return ulsif(samples.source, samples.target, options, kLimits, no_control);
}

void least_squares_known_answers() {
    const Samples one(column({0, 1, 2}), column({1}));
    const double h = 1.0;
    const double moment = (1.0 + 2.0 * std::exp(-1.0)) / 3.0;  // of squared kernels
    const RatioFit fit = squares_fit(one, {0.5, 0.2});
    check_close("h / (H + lambda)", fit.ratio.coefficients(0), h / (moment + 0.2), 1e-13);
    check_close("objective", fit.weights.objective, -0.5 / (moment + 0.2), 1e-13);
    check_true("gap", fit.weights.duality_gap < 1e-14);
    const RatioFit relative = squares_fit(one, {0.5, 0.2, 0.25});
    check_close("relative", relative.ratio.coefficients(0), h / (0.25 + 0.75 * moment + 0.2),
                1e-13);
    check_true("alone", squares_fit(one, {}).lambda == 0.1);

    Random random(8);
    const Rows source = random_rows(random, 20, 2, 0.0);
    const Rows target = random_rows(random, 15, 2, 0.5);
    const Samples samples(source, target);
    const RatioFit large = squares_fit(samples, {1.0, 1e9});
    const arma::vec mean = arma::sort(arma::vec(arma::mean(kernel(target, target, 1.0), 1)));
    const arma::vec theta = arma::sort(large.ratio.coefficients);
    for (arma::uword l = 0; l < 15; ++l)
        check_close("large lambda: h / lambda", theta(l), mean(l) / 1e9, 1e-7);

    const RatioFit constant = squares_fit(Samples(source, source), {1e-13, 1e-9});
    for (const double w : constant.ratio.values(samples.source, 1)) check_close("1", w, 1.0, 1e-6);
}

void least_squares_equals_the_formula() {
    Random random(9);
    const Rows source = random_rows(random, 40, 3, 0.0);
    const Rows target = random_rows(random, 18, 3, 0.4);
    const Samples samples(source, target);
    for (const double alpha : {0.0, 0.3}) {
        const RatioFit fit = squares_fit(samples, {0.4, 0.05, alpha});
        const arma::mat phi = kernel(target, source, 0.4);
        const arma::mat psi = kernel(target, target, 0.4);
        const arma::mat h = alpha * psi * psi.t() / 18.0 + (1.0 - alpha) * phi * phi.t() / 40.0 +
                            0.05 * arma::eye(18, 18);
        const arma::vec theta = arma::solve(h, arma::vec(arma::mean(psi, 1)));
        const arma::vec clipped = arma::clamp(theta, 0.0, 1e9);
        check_true("some are clipped", clipped.min() == 0.0 && theta.min() < 0.0);
        const arma::vec w = phi.t() * clipped;
        check_vector("values", fit.ratio.values(samples.source, 2),
                     std::vector<double>(w.begin(), w.end()), 1e-10);
        for (std::size_t i = 0; i < 40; ++i)
            check_close("q", fit.weights.q[i], w(i) / arma::accu(w), 1e-10);
    }
}

/** The score by 2 x 2 x .. refits, pair after pair. */
double slow_score(const arma::mat &phi, const arma::mat &psi, const arma::uvec &source,
                  const arma::uvec &target, double alpha, double lambda) {
    double sum = 0.0;
    for (arma::uword i = 0; i < source.n_elem; ++i) {
        arma::mat phi_rest = phi;
        arma::mat psi_rest = psi;
        phi_rest.shed_col(source(i));
        psi_rest.shed_col(target(i));
        const arma::mat h =
            alpha * psi_rest * psi_rest.t() / static_cast<double>(psi_rest.n_cols) +
            (1.0 - alpha) * phi_rest * phi_rest.t() / static_cast<double>(phi_rest.n_cols) +
            lambda * arma::eye(phi.n_rows, phi.n_rows);
        const arma::vec theta =
            arma::clamp(arma::vec(arma::solve(h, arma::vec(arma::mean(psi_rest, 1)))), 0.0, 1e9);
        const double at_source = arma::dot(theta, phi.col(source(i)));
        const double at_target = arma::dot(theta, psi.col(target(i)));
        sum += 0.5 * ((1.0 - alpha) * at_source * at_source + alpha * at_target * at_target) -
               at_target;
    }
    return sum / static_cast<double>(source.n_elem);
}

void leave_one_out_selects_as_refits_do() {
    Random random(10);
    for (int trial = 0; trial < 12; ++trial) {
        std::vector<double> x(9 + static_cast<std::size_t>(trial % 3));
        std::vector<double> z(10);
        for (double &value : x) value = random.normal();
        for (double &value : z) value = 0.6 + 0.6 * random.normal();
        std::sort(x.begin(), x.end());
        std::sort(z.begin(), z.end());
        const double alpha = trial % 2 == 0 ? 0.0 : 0.35;
        const Samples samples(column(x), column(z));
        SplitMix64 pairs(5);
        const std::size_t count = std::min(x.size(), z.size());
        const auto first = pairs.draw(x.size(), count);
        const auto second = pairs.draw(z.size(), count);
        const arma::uvec source(std::vector<arma::uword>(first.begin(), first.end()));
        const arma::uvec target(std::vector<arma::uword>(second.begin(), second.end()));
        double lowest = 1e300;
        double best_gamma = 0.0;
        double best_lambda = 0.0;
        for (const double gamma : gamma_grid(point_pair(samples.source, samples.target)))
            for (int half = -6; half <= 2; ++half) {
                const double lambda = std::pow(10.0, 0.5 * half);
                const double score =
                    slow_score(kernel(column(z), column(x), gamma),
                               kernel(column(z), column(z), gamma), source, target, alpha, lambda);
                if (score >= lowest) continue;
                lowest = score;
                best_gamma = gamma;
                best_lambda = lambda;
            }
        const RatioFit fit = squares_fit(samples, {std::nullopt, std::nullopt, alpha, 100, 5});
        check_close("gamma", fit.ratio.gamma, best_gamma, 1e-12);
        check_close("lambda", fit.lambda, best_lambda, 1e-12);
    }
}

void relative_ratios_are_bounded() {
    Random random(11);
    const Samples samples(random_rows(random, 200, 1, 0.0), random_rows(random, 200, 1, 3.0));
    const auto largest = [&](double alpha) {
        const auto w = squares_fit(samples, {1.0, 1e-3, alpha}).ratio.values(samples.target, 1);
        return *std::max_element(w.begin(), w.end());
    };
    check_true("1 / alpha", largest(0.5) < 3.0);
    check_true("unbounded", largest(0.0) > 10.0);
}

void least_squares_refuses() {
    const Samples samples(column({0, 1}), column({0}));
    check_error("lambda", DPA_E_OPTION, [&] { (void)squares_fit(samples, {1.0, 0.0}); });
    check_error("alpha", DPA_E_OPTION, [&] { (void)squares_fit(samples, {1.0, 1.0, 1.0}); });
    check_error("gamma", DPA_E_OPTION, [&] { (void)squares_fit(samples, {-1.0, 1.0}); });
    check_error("centers", DPA_E_OPTION, [&] { (void)squares_fit(samples, {1.0, 1.0, 0.0, 0}); });
    const Samples apart(column({0, 1}), column({1e3}));
    check_error("no overlap", DPA_E_NUMERICAL, [&] { (void)squares_fit(apart, {1.0, 1.0}); });
}

/** Order and repetition of rows, equal rows, constant features: for all three, parameters fixed and not. */
void weights_follow_the_rows() {
    Random random(12);
    Rows source = random_rows(random, 130, 3, 0.0);
    Rows target = random_rows(random, 120, 3, 0.3);
    for (Rows *rows : {&source, &target})
        for (auto &row : *rows) row[2] = 1.0;
    source[7] = source[3];
    target[5] = target[9];
    const auto methods = [](std::optional<double> gamma) {
        return std::vector<Method>{
            [=](const Samples &s) {
                return match(s, {gamma, 20.0, 0.1});
            },
            [=](const Samples &s) {
                return likelihood_fit(s, {gamma, 30, 3}).weights;
            },
            [=](const Samples &s) {
                return squares_fit(s, {gamma, gamma ? gamma : std::nullopt, 0.1, 30, 3}).weights;
            }};
    };
    for (const auto gamma : {std::optional<double>(0.5), std::optional<double>()}) {
        for (const Method &method : methods(gamma)) {
            const std::vector<double> q = method(Samples(source, target)).q;
            check_close("equal rows", q[3], q[7], 0.0);
            check_true("finite",
                       std::all_of(q.begin(), q.end(), [](double w) { return w >= 0.0; }));
            std::vector<double> moved = method(Samples(shuffled(source, 4), shuffled(target, 5))).q;
            const auto order = SplitMix64(4).draw(source.size(), source.size());
            std::vector<double> back(q.size());
            for (std::size_t i = 0; i < order.size(); ++i) back[order[i]] = moved[i];
            check_vector("order", back, q, 1e-12);
            if (!gamma) continue;
            const std::vector<double> doubled = method(Samples(twice(source), twice(target))).q;
            for (std::size_t i = 0; i < doubled.size(); ++i)
                check_true("twice", std::abs(doubled[i] - 0.5 * q[i % q.size()]) < 1e-6);
        }
    }
}

/** Whitening must not tell equal rows apart by where they are. */
void whitened_rows_stay_equal() {
    Random random(14);
    Rows source = random_rows(random, 61, 7, 0.0);
    source[60] = source[1];
    const Samples samples(source, random_rows(random, 20, 7, 0.3), PreprocessKind::whiten);
    const PointPair points = point_pair(samples.source, samples.target);
    check_true("points", points.source.size() == 60);
    const std::vector<double> q = match(samples, {}).q;
    check_close("weights", q[1], q[60], 0.0);
}

void equal_rows_only() {
    const Samples samples(Rows(4, {0.0, 0.0}), Rows(3, {0.0, 0.0}));
    const std::vector<double> quarter(4, 0.25);
    check_vector("matching", match(samples, {}).q, quarter, 1e-12);
    check_vector("likelihood", likelihood_fit(samples, {}).weights.q, quarter, 1e-12);
    check_vector("squares", squares_fit(samples, {}).weights.q, quarter, 1e-12);
}

/** Stops a call at its n-th report. */
struct Stopper : Control {
    explicit Stopper(int reports) : left(reports) {}
    void report(const Progress & /*progress*/) override {
        if (left-- == 0) throw Error(DPA_E_CANCELLED, "stopped");
    }
    int left;
};

void calls_can_be_stopped() {
    Random random(13);
    const Samples samples(random_rows(random, 60, 2, 0.0), random_rows(random, 50, 2, 1.0));
    for (const int reports : {0, 3}) {
        Stopper stopper(reports);
        check_error("matching", DPA_E_CANCELLED, [&] {
            (void)kernel_mean_matching(samples.source, samples.target, {}, kLimits, stopper);
        });
        stopper.left = reports;
        check_error("likelihood", DPA_E_CANCELLED,
                    [&] { (void)kliep(samples.source, samples.target, {}, kLimits, stopper); });
        stopper.left = reports;
        check_error("squares", DPA_E_CANCELLED,
                    [&] { (void)ulsif(samples.source, samples.target, {}, kLimits, stopper); });
    }
    const Weights few =
        kernel_mean_matching(samples.source, samples.target, {}, {1e-9, 1, 1}, no_control);
    check_true("iterations", few.termination == Termination::iterations && few.duality_gap > 0.0);
    const RatioFit some = kliep(samples.source, samples.target, {1.0}, {1e-9, 2, 1}, no_control);
    check_true("iterations", some.weights.termination == Termination::iterations);
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
        core_test(matching_refuses),
        core_test(likelihood_known_answers),
        core_test(likelihood_equals_a_slow_solver),
        core_test(likelihood_of_equal_samples),
        core_test(likelihood_refuses),
        core_test(least_squares_known_answers),
        core_test(least_squares_equals_the_formula),
        core_test(leave_one_out_selects_as_refits_do),
        core_test(relative_ratios_are_bounded),
        core_test(least_squares_refuses),
        core_test(weights_follow_the_rows),
        core_test(whitened_rows_stay_equal),
        core_test(equal_rows_only),
        core_test(calls_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
