// KLIEP and least-squares importance fitting against known answers and slow independent solvers.
#include "core/kernels.hpp"

namespace {

void likelihood_known_answers() {
    const Samples samples(column({0, 1}), column({0, 0, 1}));
    const RatioFit fit = likelihood_fit(samples, {1.0});
    const double e = std::exp(-1.0);
    const double beta = (2.0 - e) / (3.0 * (1.0 - e));
    check_close("value", fit.weights.objective, 0.0566330123, 1e-8);
    check_close("beta", fit.ratio.coefficients(0) * 0.5 * (1.0 + e), beta, 1e-5);
    check_close("beta", beta, 0.8606589023, 1e-9);
    check_vector("weights", ratios(fit, samples), {4.0 / 3.0, 2.0 / 3.0}, 1e-5);
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
        const std::vector<double> on_target = ratios(fit, samples, true);
        double value = 0.0;
        for (const double w : on_target) value += std::log(w) / 12.0;
        check_close("value out of sample", value, fit.weights.objective, 1e-9);
        const std::vector<double> w = ratios(fit, samples);
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

/** With a tolerance that nothing reaches the search ends where no step is better. */
void likelihood_ends_by_itself() {
    Random random(15);
    arma::mat p(12, 4);
    for (double &value : p) value = std::exp(random.normal());
    const arma::vec weight(12, arma::fill::value(1.0 / 12.0));
    const Mixture exact = maximize_likelihood(p, weight, {-1.0, 100000, 1}, no_control);
    check_true("precision", exact.certificate.termination == Termination::precision);
    check_true("gap", exact.certificate.duality_gap < 1e-7);
    check_close("sum", arma::accu(exact.shares), 1.0, 1e-12);
    const Mixture rough = maximize_likelihood(p, weight, {1e-3, 100000, 1}, no_control);
    check_true("converged", rough.certificate.termination == Termination::converged);
    check_true("value", exact.certificate.objective >= rough.certificate.objective &&
                            exact.certificate.objective <=
                                rough.certificate.objective + rough.certificate.duality_gap);
}

void likelihood_refuses() {
    const Samples apart(column({0, 1}), column({1e3, 1e3 + 1}));
    check_error("no overlap", DPA_E_NUMERICAL, [&] { (void)likelihood_fit(apart, {1.0}); });
    const Samples partly(column({0, 1}), column({0, 1e3}));
    check_error("a row without source", DPA_E_NUMERICAL,
                [&] { (void)likelihood_fit(partly, {1.0}); });
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
    for (const double w : ratios(constant, samples)) check_close("1", w, 1.0, 1e-6);
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
        check_vector("values", ratios(fit, samples), std::vector<double>(w.begin(), w.end()),
                     1e-10);
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
    Random random(11);  // compilers differ in which argument comes first
    const Rows target = random_rows(random, 200, 1, 3.0);
    const Samples samples(random_rows(random, 200, 1, 0.0), target);
    const auto largest = [&](double alpha) {
        const auto w = ratios(squares_fit(samples, {1.0, 1e-3, alpha}), samples, true);
        return *std::max_element(w.begin(), w.end());
    };
    check_true("1 / alpha", largest(0.5) < 3.0);
    check_true("unbounded", largest(0.0) > 10.0);
}

void least_squares_refuses() {
    const Samples apart(column({0, 1}), column({1e3}));
    check_error("no overlap", DPA_E_NUMERICAL, [&] { (void)squares_fit(apart, {1.0, 1.0}); });
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(likelihood_known_answers),
        core_test(likelihood_equals_a_slow_solver),
        core_test(likelihood_of_equal_samples),
        core_test(likelihood_ends_by_itself),
        core_test(likelihood_refuses),
        core_test(least_squares_known_answers),
        core_test(least_squares_equals_the_formula),
        core_test(leave_one_out_selects_as_refits_do),
        core_test(relative_ratios_are_bounded),
        core_test(least_squares_refuses),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
