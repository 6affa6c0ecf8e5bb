// The certified discrepancy: known answers, hard cases, independent bounds from both sides, both
// levels of precision and the failure of both; and its sensitivity, end to end.
#include <string>
#include <vector>

#include "base/error.hpp"
#include "core/core.hpp"
#include "discrepancy/ball_maximum.hpp"
#include "discrepancy/certified.hpp"

using namespace dpadapt;
using arma::mat;
using arma::vec;

namespace {

/** |v - exact| <= tau/2, and a little for the rounding of `exact`. */
void check_certified(const std::string &what, const LossDifference &difference, double radius,
                     double tau, double exact) {
    const double value = certified_discrepancy(difference, radius, tau);
    if (std::abs(value - exact) <= 0.5 * tau + 0x1p-51 * exact) return;
    check_close(what, value, exact, 0.0);
}

void known_answers() {
    const vec zero2(2, arma::fill::zeros);
    const mat indefinite = {{-1, 0}, {0, 0.5}};
    const double third = 1.0 / 3.0;
    // A double-precision bound of the rounding alone exceeds 1e-14 here: that needs the second
    // level.
    for (const double tau : {1e-3, 1e-9, 1e-12, 1e-14, 2e-15}) {
        check_certified("hard case", {indefinite, {0, 0.5}, -0.5}, 1.0, tau, 5.0 * third);
        check_certified("its negative", {-indefinite, {0, -0.5}, 0.5}, 1.0, tau, 5.0 * third);
        check_certified("linear", {arma::zeros(2, 2), {0.375, 0.5}, 0.0}, 2.0, tau, 2.5);
        check_certified("interior", {-arma::eye(2, 2), {0.25, 0}, 1.0}, 1.0, tau, 1.0625);
        check_certified("constant", {arma::zeros(2, 2), zero2, -0.75}, 3.0, tau, 0.75);
        check_certified("nothing", {arma::zeros(2, 2), zero2, 0.0}, 3.0, tau, 0.0);
        check_certified("identity", {arma::eye(2, 2), zero2, 0.0}, 1.5, tau, 2.25);
        check_certified("rank one", {{{1, 1}, {1, 1}}, zero2, -0.5}, 1.0, tau, 1.5);
        check_certified("one dimension", {-2.0 * arma::eye(1, 1), {1.0}, 0.0}, 1.0, tau, 4.0);
        check_certified("radius zero", {indefinite, {0, 0.5}, -0.5}, 0.0, tau, 0.5);
    }
}

/** sup q, or 0 where it is less. */
void one_side() {
    const mat indefinite = {{-1, 0}, {0, 0.5}};
    const vec zero2(2, arma::fill::zeros);
    const auto above = [](const LossDifference &q, double radius, double tau) {
        return certified_discrepancy(q, radius, tau, DiscrepancySide::target_above);
    };
    for (const double tau : {1e-3, 1e-9, 1e-14, 2e-15}) {
        check_close("hard case", above({indefinite, {0, 0.5}, -0.5}, 1.0, tau), 1.0, tau);
        check_close("its negative", above({-indefinite, {0, -0.5}, 0.5}, 1.0, tau), 5.0 / 3.0, tau);
        check_true("never above", above({arma::zeros(2, 2), zero2, -0.75}, 3.0, tau) <= tau);
        check_true("radius zero", above({indefinite, {0, 0.5}, -0.5}, 0.0, tau) == 0.0);
        check_close("radius zero, above", above({indefinite, zero2, 0.5}, 0.0, tau), 0.5, 0.0);
        const double largest =
            certified_unlabelled_discrepancy(indefinite, 0.5, tau, DiscrepancySide::target_above);
        check_close("largest eigenvalue", largest, 0.5, tau);
    }
}

/** The best value of projected ascent from random starts on sign * q: a lower bound of sup |q|. */
double ascend(const LossDifference &q, double radius, Random &random) {
    const double step = 0.5 / (arma::norm(q.second, "fro") + arma::norm(q.slope) / radius + 1e-300);
    double best = 0.0;
    for (int start = 0; start < 8; ++start) {
        const double sign = start % 2 == 0 ? 1.0 : -1.0;
        vec x(q.slope.n_elem);
        x.imbue([&] { return random.normal(); });
        for (int i = 0; i < 3000; ++i) {
            x += sign * step * (q.second * x + q.slope);
            if (arma::norm(x) > radius) x *= radius / arma::norm(x);
        }
        best = std::max(best, sign * q.at(x));
    }
    return best;
}

/** min over lambda of c + lambda radius^2 + b'(lambda I - A)^-1 b, the Lagrange dual: an upper
 *  bound of max q, whatever lambda is found; convex, so a ternary search. */
double dual_bound(const LossDifference &q, double radius) {
    const vec values = arma::eig_sym(q.second);
    const mat eye = arma::eye(arma::size(q.second));
    const auto at = [&](double lambda) {
        return q.constant + lambda * radius * radius +
               arma::dot(q.slope, arma::solve(lambda * eye - q.second, q.slope));
    };
    const double scale = arma::abs(values).max() + arma::norm(q.slope) / radius;
    double left = std::max(0.0, values.max()) + 1e-10 * scale;
    double right = left + 2.0 * scale;
    for (int step = 0; step < 120; ++step) {
        const double one = left + (right - left) / 3.0;
        const double two = right - (right - left) / 3.0;
        (at(one) < at(two) ? right : left) = at(one) < at(two) ? two : one;
    }
    return at(left);
}

LossDifference negative(const LossDifference &q) { return {-q.second, -q.slope, -q.constant}; }

/** Q diag(values) Q' with random Q, and b = Q g. */
LossDifference with_spectrum(const vec &values, const vec &g, double constant, Random &random) {
    mat raw(values.n_elem, values.n_elem);
    raw.imbue([&] { return random.normal(); });
    mat q;
    mat r;
    arma::qr(q, r, raw);
    mat a = q * arma::diagmat(values) * q.t();
    return {0.5 * (a + a.t()), q * g, constant};
}

void random_problems_lie_between_independent_bounds() {
    Random random(17);
    for (const arma::uword d : {1U, 2U, 3U, 7U, 20U, 60U}) {
        for (int trial = 0; trial < (d > 10 ? 3 : 12); ++trial) {
            vec values(d);
            vec g(d);
            values.imbue([&] { return random.normal(); });
            g.imbue([&] { return random.normal() * (trial % 3); });
            if (trial % 4 == 1) values.tail(d / 2).zeros();
            const double radius = std::exp(random.normal());
            const LossDifference q = with_spectrum(values, g, random.normal(), random);
            const double value = certified_discrepancy(q, radius, 1e-8);
            const double upper = std::max(dual_bound(q, radius), dual_bound(negative(q), radius));
            check_true("not below ascent", value >= ascend(q, radius, random) - 1e-8);
            check_true("not above the dual", value <= upper + 1e-8);
            check_close("the dual is attained", value, upper, 1e-6);
        }
    }
}

void levels_agree() {
    Random random(23);
    for (const arma::uword d : {1U, 2U, 10U, 60U}) {
        vec values(d);
        vec g(d);
        values.imbue([&] { return random.normal(); });
        g.imbue([&] { return random.normal(); });
        const LossDifference q = with_spectrum(values, g, 0.1, random);
        const double size = arma::norm(values) + 2.0 * arma::norm(g) + 0.1;
        const double first = certified_discrepancy(q, 1.0, proven_rounding(d, size));
        // What double precision can prove is above 24 (d + 5) 2^-53 |value|.
        const double fine = 0x1p-51 * first;
        const double second = certified_discrepancy(q, 1.0, fine);
        check_true("two levels",
                   std::abs(first - second) <= 0.5 * proven_rounding(d, size) + 0.5 * fine);
    }
}

/** lower <= exact <= upper, if there are bounds at all, for whatever is claimed to be the maximum;
 *  exact is known to 1e-12. */
template <typename Real>
void check_bounds(const std::string &what, const LossDifference &q, double radius, const vec &x,
                  double multiplier, double exact) {
    const auto found = certify_maximum<Real>(q, 1.0, radius, {{x.begin(), x.end()}, multiplier});
    check_true(what + ": lower", static_cast<double>(found.lower) <= exact + 1e-12);
    check_true(what + ": upper", !(static_cast<double>(found.upper) < exact - 1e-12));
}

void bounds_hold_whatever_was_found() {
    Random random(19);
    for (int trial = 0; trial < 60; ++trial) {
        const arma::uword d = 1 + static_cast<arma::uword>(trial % 6);
        vec values(d);
        vec g(d);
        values.imbue([&] { return random.normal(); });
        g.imbue([&] { return random.normal(); });
        const double constant = 4.0 * (arma::norm(values) + arma::norm(g));  // positive all over
        const LossDifference q = with_spectrum(values, g, constant, random);
        const double exact = certified_discrepancy(q, 1.0, 1e-13);
        const double largest = std::max(values.max(), 0.0);
        const auto check = [&](const std::string &what, const vec &x, double multiplier) {
            check_bounds<double>(what, q, 1.0, x, multiplier, exact);
            check_bounds<DoubleDouble>(what, q, 1.0, x, multiplier, exact);
        };
        const auto stationary = [&](double multiplier) -> vec {
            return arma::solve(multiplier * arma::eye(d, d) - q.second, q.slope);
        };
        const double far = largest + 3.0 * arma::norm(g);
        check("a point inside, its gradient balanced by the multiplier", stationary(far), far);
        check("a point outside", stationary(largest + 1e-3), largest + 1e-3);
        check("a random point", arma::normalise(g), largest + 0.1);
        check("a multiplier that is too small", stationary(far), 0.5 * values.min());
        check("nothing", arma::zeros(d), 0.0);
    }
    // The second eigenvector: stationary on the sphere, and less than the maximum by 1e-11.
    const mat near_equal = {{1.0 + 1e-11, 0}, {0, 1}};
    const auto found = certify_maximum<double>({near_equal, {0, 0}, 0.0}, 1.0, 1.0, {{0, 1}, 1.0});
    check_true("second eigenvector", found.upper >= 1.0 + 1e-11);
}

/** A slope whose component along the top eigenvector is 2^-k: the exact maximum is known. */
void near_hard_cases() {
    for (int k = 0; k <= 80; k += 4) {
        const double small = k == 80 ? 0.0 : std::ldexp(1.0, -k);
        // On the sphere with multiplier 2 + s: c = (small / s, 1 / (4 + s)) and |c| = 1.
        long double left = 0.0L;
        long double right = 4.0L;
        for (int step = 0; step < 300; ++step) {
            const long double s = 0.5L * (left + right);
            const long double one = small / s;
            const long double two = 1.0L / (4.0L + s);
            (one * one + two * two > 1.0L ? left : right) = s;
        }
        const long double two = 1.0L / (4.0L + right);
        const long double one = std::sqrt(1.0L - two * two);
        const auto exact = static_cast<double>(2.0L * one * one - 2.0L * two * two +
                                               2.0L * (small * one + two) + 2.0L);
        const LossDifference q{{{2, 0}, {0, -2}}, {small, 1.0}, 2.0};
        for (const double tau : {1e-6, 2e-12, 3e-15})
            check_certified("2^-" + std::to_string(k), q, 1.0, tau, exact);
    }
}

void clustered_and_singular_spectra() {
    Random random(29);
    for (const arma::uword d : {5U, 30U}) {
        for (const double spread : {0.0, 1e-17, 1e-15, 1e-12, 1e-8}) {
            vec values(d, arma::fill::ones);
            for (arma::uword i = 0; i < d; ++i) values(i) += spread * random.normal();
            for (const double along : {0.0, 1e-18, 1e-9, 1.0}) {
                const vec g(d, arma::fill::value(along));
                const LossDifference q = with_spectrum(values, g, 0.0, random);
                const double exact = 1.0 + 2.0 * along * std::sqrt(static_cast<double>(d));
                const double tau = 40.0 * spread + 1e-13 * static_cast<double>(d) * exact;
                check_certified("cluster", q, 1.0, tau, exact);
            }
        }
    }
}

void unlabelled_is_the_spectral_norm() {
    Random random(31);
    const LossDifference q = with_spectrum({-3.0, 1.0, 2.5}, arma::zeros(3), 0.0, random);
    check_close("4 radius^2 ||A||", certified_unlabelled_discrepancy(q.second, 0.5, 1e-12), 3.0,
                1e-12);
    check_true("zero", certified_unlabelled_discrepancy(arma::zeros(3, 3), 1.0, 1e-12) <= 1e-12);
}

void the_error_is_at_most_half_of_tau() {
    // 5/3 is a third of 2^-52 off its double: 7.4e-17, twice which is between these two.
    const LossDifference q{{{-1, 0}, {0, 0.5}}, {0, 0.5}, -0.5};
    check_true("allowed", certified_discrepancy(q, 1.0, 1.5e-16) == 5.0 / 3.0);
    bool failed = false;
    try {
        (void)certified_discrepancy(q, 1.0, 1.4e-16);
    } catch (const Error &) {
        failed = true;
    }
    check_true("not allowed", failed);
}

/** The failure is of status DPA_E_INTERNAL, and its text is the same whatever the data are. */
void when_no_level_suffices() {
    const mat indefinite = {{-1, 0}, {0, 0.5}};
    std::vector<std::string> texts;
    const auto failing = [&](const LossDifference &q, double tau) {
        try {
            (void)certified_discrepancy(q, 1.0, tau);
            check_true("fails", false);
        } catch (const Error &error) {
            check_true("status", error.status() == DPA_E_INTERNAL);
            texts.emplace_back(error.what());
        }
    };
    failing({indefinite, {0, 0.5}, -0.5}, 1e-18);
    failing({indefinite, {1.0 / 3.0, 0.5}, 0.7}, 1e-18);
    failing({indefinite, {0, 0.5}, -0.5}, 0.0);
    failing({indefinite, {0, 0.5}, -0.5}, kNan);
    failing({indefinite, {0, kNan}, 0.0}, 1e-3);
    failing({kInf * arma::ones(2, 2), {0, 0}, 0.0}, 1e-3);
    failing({1e300 * indefinite, {0, 1e308}, 0.0}, 1e-3);
    for (const std::string &text : texts) {
        check_true("one text", text == texts.front());
        check_true("no number", text.find_first_of("0123456789") == std::string::npos);
    }
}

struct Records {
    std::vector<vec> z;
    std::vector<double> y;
};

sums::MomentSum sum_of(const Records &records, arma::uword d) {
    sums::MomentSum sum(d, 1.0, 1.0);
    for (std::size_t i = 0; i < records.y.size(); ++i) sum.add(records.z[i].memptr(), records.y[i]);
    return sum;
}

/** Replaces single records by others of the largest norms and residuals, and by worse ones: the
 *  certified value moves by B/n + 2 tau at most, and some replacement needs nearly all of it. */
void sensitivity_end_to_end(DiscrepancySide side) {
    constexpr std::size_t n = 12;
    Random random(37);
    for (const arma::uword d : {1U, 3U, 8U}) {
        const vec center = 0.2 * arma::normalise(vec(d, arma::fill::ones));
        constexpr double radius = 1.5;
        const double bound = std::pow(1.7 + 1.0, 2);  // (||center|| + radius) 1 + 1, squared
        const double tau = 0x1p-10 * bound / n;
        check_true("tau is allowed", tau >= proven_rounding(d, bound));

        Moments source{0.1 * arma::eye(d, d), vec(d, arma::fill::zeros), 0.05};
        check_true("size of the source", loss_size(source, 1.7) <= bound);
        const auto value = [&](const Records &records) {
            const Moments target = to_moments(sum_of(records, d).means());
            return certified_discrepancy(loss_difference(target, source, center), radius, tau,
                                         side);
        };
        // Large losses near one predictor: every record adds to the same supremum.
        const vec e = arma::normalise(center);
        Records records{std::vector<vec>(n, e), std::vector<double>(n, -1.0)};
        const double before = value(records);
        double largest = 0.0;
        const auto replace = [&](const vec &z, double y) {
            Records neighbour = records;
            neighbour.z[n / 2] = z;
            neighbour.y[n / 2] = y;
            const double moved = std::abs(value(neighbour) - before);
            check_true("sensitivity", moved <= bound / n + 2.0 * tau);
            largest = std::max(largest, moved);
        };
        for (const double y : {-1.0, 0.0, 1.0, 1e308, kNan, -kInf}) {
            for (const double size : {-1.0, 1.0, 0.0, 5e-324, -1e308, kInf, kNan}) {
                replace(size * e, y);
                replace(vec(d, arma::fill::value(size)), y);
            }
        }
        replace(1.7 / 2.7 * e, 1.0);
        for (int trial = 0; trial < 20; ++trial) {
            vec z(d);
            z.imbue([&] { return random.normal(); });
            replace(arma::normalise(z), random.normal());
        }
        check_true("nearly attained", largest >= 0.9 * bound / n);
    }
}

void neighbours_move_it_by_at_most_the_sensitivity() {
    for (const auto side : {DiscrepancySide::both, DiscrepancySide::target_above})
        sensitivity_end_to_end(side);
}

void forming_the_difference_is_within_proven_rounding() {
    // Moments of exact records against the same in long double arithmetic.
    constexpr arma::uword d = 40;
    Random random(41);
    vec center(d);
    center.imbue([&] { return random.normal(); });
    center /= arma::norm(center);
    sums::MomentSum one(d, 1.0, 1.0);
    sums::MomentSum other(d, 1.0, 1.0);
    for (int i = 0; i < 60; ++i) {
        vec z(d);
        z.imbue([&] { return random.normal(); });
        z = arma::normalise(z);
        (i % 3 == 0 ? one : other).add(z.memptr(), std::tanh(random.normal()));
    }
    const LossDifference q =
        loss_difference(to_moments(one.means()), to_moments(other.means()), center);
    const auto exact = [&](arma::uword i, arma::uword j) {
        const auto mean = [&](const sums::MomentSum &sum) {
            return static_cast<long double>(sum.sum(i, j)) /
                   static_cast<long double>(sum.records());
        };
        return (mean(one) - mean(other)) * 0x1p-60L;
    };
    long double constant = exact(d, d);
    long double error = 0.0L;
    for (arma::uword i = 0; i < d; ++i) {
        long double slope = -exact(i, d);
        for (arma::uword k = 0; k < d; ++k) slope += exact(i, k) * center(k);
        constant += center(i) * (slope - exact(i, d));
        error += std::abs(slope - q.slope(i));
    }
    error += std::abs(constant - q.constant);
    const double bound = 9.0;  // (1 + 1) 1 + 1, squared
    check_true("rounding", static_cast<double>(2.0L * error) <= 0.5 * proven_rounding(d, bound));
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(known_answers),
        core_test(one_side),
        core_test(random_problems_lie_between_independent_bounds),
        core_test(bounds_hold_whatever_was_found),
        core_test(levels_agree),
        core_test(near_hard_cases),
        core_test(clustered_and_singular_spectra),
        core_test(unlabelled_is_the_spectral_norm),
        core_test(the_error_is_at_most_half_of_tau),
        core_test(when_no_level_suffices),
        core_test(neighbours_move_it_by_at_most_the_sensitivity),
        core_test(forming_the_difference_is_within_proven_rounding),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
