// Discrepancy minimization: known answers, certificates and invariances.
#include <vector>

#include "base/error.hpp"
#include "baseline/weight_methods.hpp"
#include "core.hpp"

using namespace dpadapt;
using namespace dpadapt::baseline;
using arma::mat;
using arma::vec;

namespace {

/** Weights of the rows of x, as they are. */
Weights minimize(const mat &x, const mat &target, Limits limits = {1e-6, 0, 1}) {
    const std::vector<double> labels(x.n_rows, 0.0);
    const Sample sample =
        Sample::lend({x.memptr(), x.n_rows, x.n_cols, x.n_rows, false}, labels.data());
    Settings settings{};
    settings.preprocess = PreprocessKind::none;
    settings.intercept = false;
    const Preprocess preprocess(sample, settings);
    NoControl control;
    return minimize_discrepancy(PreparedSample(sample, preprocess, limits.threads), target, limits,
                                control);
}

mat moment(const mat &x, const vec &q) { return x.t() * arma::diagmat(q) * x; }

mat mean_moment(const mat &x) { return x.t() * x / static_cast<double>(x.n_rows); }

double largest_size(const mat &symmetric) {
    return arma::abs(arma::eig_sym(0.5 * (symmetric + symmetric.t()))).max();
}

/** On the simplex, with the objective that it says and a gap within the tolerance. */
vec check_weights(const std::string &what, const mat &x, const mat &target, const Weights &weights,
                  double tolerance = 1e-6) {
    const vec q(weights.q);
    check_true(what + ": one weight a row", q.n_elem == x.n_rows);
    check_true(what + ": not negative", q.min() >= 0.0);
    check_close(what + ": sum", arma::accu(q), 1.0, 1e-12);
    const double norm = largest_size(target - moment(x, q));
    const double unit = std::max(largest_size(target), arma::min(arma::sum(arma::square(x), 1)));
    // The roundings of a moment are relative to its trace: the unit is 0 when target and a row are.
    const double size = largest_size(target) + arma::trace(moment(x, q));
    check_true(what + ": objective", std::abs(norm - weights.objective) <= 1e-12 * size);
    check_true(what + ": converged", weights.termination == Termination::converged);
    check_true(what + ": certificate",
               weights.duality_gap >= 0.0 && weights.duality_gap <= tolerance * unit + 1e-11);
    return q;
}

mat random_rows(unsigned seed, arma::uword rows, arma::uword columns, double shift = 0.0) {
    Random random(seed);
    mat x(rows, columns);
    x.for_each([&](double &value) { value = random.normal() + shift; });
    return x;
}

/** A symmetric matrix with standard normal diagonal, sqrt(1/2) off it. */
mat noise(unsigned seed, arma::uword order) {
    const mat z = random_rows(seed, order, order);
    return 0.5 * (z + z.t());
}

void smallest_norm_of_three_points() {
    const mat x = vec{0.0, 1.0, 2.0};
    const mat target(1, 1, arma::fill::ones);
    const vec q = check_weights("0, 1, 2", x, target, minimize(x, target));
    const vec expected = vec{12.0, 10.0, 4.0} / 26.0;
    check_true("0, 1, 2: (12, 10, 4)/26", arma::abs(q - expected).max() < 1e-12);
}

void one_dimension_is_a_distance() {
    const mat x = vec{1.0, -2.0, 1.5};
    const struct {
        double target;
        double minimum;
    } cases[] = {{-3.0, 4.0}, {0.0, 1.0}, {0.5, 0.5}, {1.0, 0.0}, {4.0, 0.0}, {5.5, 1.5}};
    for (const auto &each : cases) {
        const mat target(1, 1, arma::fill::value(each.target));
        const Weights weights = minimize(x, target);
        const std::string what = "target " + std::to_string(each.target);
        check_weights(what, x, target, weights);
        check_true(what + ": distance to [1, 4]",
                   std::abs(weights.objective - each.minimum) < 1e-6 * std::max(1.0, each.target));
    }
}

void same_rows_are_uniform() {
    const mat x = random_rows(1, 200, 5);
    const vec q = check_weights("same rows", x, mean_moment(x), minimize(x, mean_moment(x)));
    check_true("same rows: uniform", arma::abs(q - 1.0 / 200.0).max() < 1e-14);
    const mat wide = random_rows(2, 90, 60);  // too many moments for the exact method
    const vec p = check_weights("wide", wide, mean_moment(wide), minimize(wide, mean_moment(wide)));
    check_true("wide: uniform", arma::abs(p - 1.0 / 90.0).max() < 1e-14);
}

/** The conditions of the smallest norm: q = max(0, nu + x'S x), here with (S, nu) fitted to the
 *  rows of positive weight. */
void zero_minimum_has_the_smallest_norm() {
    const mat x = random_rows(3, 400, 3);
    const mat target = mean_moment(random_rows(4, 100, 3, 0.6));
    const Weights weights = minimize(x, target);
    const vec q = check_weights("in the hull", x, target, weights);
    check_true("in the hull: minimum 0", weights.objective < 1e-10);
    mat features(400, 7, arma::fill::ones);
    for (arma::uword i = 0; i < 400; ++i)
        for (arma::uword a = 0, k = 0; a < 3; ++a)
            for (arma::uword b = a; b < 3; ++b) features(i, k++) = x(i, a) * x(i, b);
    const arma::uvec active = arma::find(q > 0.0);
    const vec theta = arma::solve(features.rows(active), q.elem(active));
    const vec fitted = arma::clamp(features * theta, 0.0, arma::datum::inf);
    check_true("in the hull: some weights are 0", active.n_elem < 400);
    check_true("in the hull: conditions", arma::abs(fitted - q).max() < 1e-12);
}

void positive_minimum_is_certified() {
    const mat x = random_rows(5, 700, 4);
    const mat rounded = arma::round(x);  // equal rows
    const mat target = mean_moment(random_rows(6, 50, 4, 3.0));
    const mat cases[] = {target, -target, target + 2.0 * noise(7, 4), mat(4, 4, arma::fill::zeros)};
    for (const mat &each : cases) {
        const Weights weights = minimize(x, each);
        check_weights("outside", x, each, weights);
        check_true("outside: positive minimum", weights.objective > 1e-4);
        check_weights("outside, equal rows", rounded, each, minimize(rounded, each));
    }
    const mat wide = random_rows(8, 500, 60);
    const mat far = mean_moment(random_rows(9, 100, 60)) + 0.1 * noise(10, 60);
    check_weights("many columns", wide, far, minimize(wide, far));
}

void loose_tolerance_is_kept() {
    const mat x = random_rows(11, 500, 6);
    const mat target = mean_moment(random_rows(12, 50, 6, 2.0));
    const Weights tight = minimize(x, target);
    const Weights loose = minimize(x, target, {1e-2, 0, 1});
    check_weights("loose", x, target, loose, 1e-2);
    check_true("loose: bracket", loose.objective - loose.duality_gap <= tight.objective);
    const Weights stopped = minimize(x, target, {1e-6, 3, 1});
    check_true("stopped: says so", stopped.termination == Termination::iterations);
    check_true("stopped: bracket",
               stopped.objective - stopped.duality_gap <= tight.objective + 1e-9);
}

void equal_rows_have_equal_weights() {
    const mat x = random_rows(13, 60, 2);
    const mat both = arma::join_cols(x, x.head_rows(30), x.head_rows(30));
    const mat targets[] = {mean_moment(x) * 1.1, mean_moment(x) + 9.0 * noise(14, 2)};
    for (const mat &target : targets) {
        const vec q = check_weights("copies", both, target, minimize(both, target));
        for (arma::uword i = 0; i < 30; ++i)
            check_true("copies: equal", q(i) == q(60 + i) && q(i) == q(90 + i));
    }
}

void order_and_threads_do_not_matter() {
    const mat x = random_rows(15, 900, 5);
    const mat targets[] = {mean_moment(random_rows(16, 99, 5, 0.2)),
                           mean_moment(random_rows(17, 99, 5, 2.0))};
    for (const mat &target : targets) {
        const vec q(minimize(x, target).q);
        const vec reversed(minimize(arma::flipud(x), target).q);
        check_true("order", arma::all(q == arma::flipud(reversed)));
        check_true("threads", arma::all(q == vec(minimize(x, target, {1e-6, 0, 3}).q)));
    }
}

/** Rank-deficient rows: within their span as if the other columns were not there. */
void deficient_rank() {
    const mat x = random_rows(18, 300, 3);
    const mat target = mean_moment(random_rows(19, 80, 3, 0.3));
    const mat embed = arma::join_rows(arma::eye(3, 3), mat(3, 2, arma::fill::ones));
    const mat wide = x * embed;
    const mat wide_target = embed.t() * target * embed;
    const vec q = check_weights("rank 3", wide, wide_target, minimize(wide, wide_target));
    check_true("rank 3: same weights", arma::abs(q - vec(minimize(x, target).q)).max() < 1e-9);
    const mat off = wide_target + arma::diagmat(vec{0.0, 0.0, 0.0, 0.0, 1.0});
    check_weights("off the span", wide, off, minimize(wide, off));
}

void small_samples() {
    const mat one = {{1.0, -2.0}};
    const mat target = {{2.0, 0.5}, {0.5, 1.0}};
    check_weights("one row", one, target, minimize(one, target));
    const mat zeros(3, 2, arma::fill::zeros);
    check_weights("rows of 0", zeros, target, minimize(zeros, target));
    check_weights("nothing but 0", zeros, 0.0 * target, minimize(zeros, 0.0 * target));
    const vec lengths = {0.5, 1.0, 2.0, 1.5};  // collinear and too short: all on the longest
    const mat line = lengths * arma::rowvec{0.6, 0.8};
    const mat far = 9.0 * line.row(0).t() * line.row(0) / arma::dot(line.row(0), line.row(0));
    const vec q = check_weights("collinear", line, far, minimize(line, far));
    check_close("collinear: all on the longest", q(2), 1.0, 1e-5);
}

void scale_does_not_matter() {
    const mat x = random_rows(20, 300, 4);
    const mat target = mean_moment(random_rows(21, 80, 4, 1.5));
    const Weights plain = minimize(x, target);
    for (const double scale : {1e-6, 1e6}) {
        const Weights scaled = minimize(scale * x, scale * scale * target);
        check_weights("scaled", scale * x, scale * scale * target, scaled);
        check_true("scaled: same weights", arma::abs(vec(scaled.q) - vec(plain.q)).max() < 1e-6);
    }
}

/** Whether minimize ends by DPA_E_NUMERICAL. */
bool is_refused(const mat &x, const mat &target) {
    try {
        (void)minimize(x, target);
        return false;
    } catch (const Error &error) {
        return error.status() == DPA_E_NUMERICAL;
    }
}

void numbers_beyond_double_precision_are_refused() {
    const mat x = random_rows(22, 9, 1);
    for (const double far : {1e155, -1.58e177, 1e308}) {
        const mat target = mean_moment(arma::join_cols(random_rows(23, 3, 1), mat{far}));
        check_true("target", is_refused(x, target));
        check_true("source", is_refused(arma::join_cols(x, mat{10.0 * far}), mean_moment(x)));
    }
    mat target = mean_moment(random_rows(24, 6, 3));
    target(1, 1) = arma::datum::nan;
    check_true("NaN", is_refused(random_rows(25, 9, 3), target));
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(smallest_norm_of_three_points),
        core_test(one_dimension_is_a_distance),
        core_test(same_rows_are_uniform),
        core_test(zero_minimum_has_the_smallest_norm),
        core_test(positive_minimum_is_certified),
        core_test(loose_tolerance_is_kept),
        core_test(equal_rows_have_equal_weights),
        core_test(order_and_threads_do_not_matter),
        core_test(deficient_rank),
        core_test(small_samples),
        core_test(scale_does_not_matter),
        core_test(numbers_beyond_double_precision_are_refused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
