// Known answers of the trust-region problem, from the test suites of other solvers, recomputed in
// 60-digit arithmetic: scipy (test_trustregion_exact.py), Optim.jl,
// trlib, GALAHAD.
#include <cmath>
#include <numbers>
#include <vector>

#include "core.hpp"
#include "discrepancy/estimate.hpp"
#include "linalg/trust_region.hpp"

using namespace dpadapt;
using arma::mat;
using arma::vec;

namespace {

struct Known {
    const char *name;
    mat h;
    vec g;
    double radius;
    double multiplier;
    double value;
    vec x;           // empty where the minimizer is not unique up to `sign_free`
    bool sign_free;  // components may come with the other sign
};

mat symmetric(arma::uword n, const std::vector<double> &upper) {
    mat h(n, n);
    std::size_t k = 0;
    for (arma::uword i = 0; i < n; ++i)
        for (arma::uword j = i; j < n; ++j) h(i, j) = h(j, i) = upper[k++];
    return h;
}

std::vector<Known> known_answers() {
    const mat scipy4 = {{10, 2, 3, 4}, {2, 1, 7, 1}, {3, 7, 1, 7}, {4, 1, 7, 2}};
    const mat interior = symmetric(5, {1.812159, .82687265, .21838879, -.52487006, .25436988,
                                       2.66380283, .31508988, -.40144163, .08811588, 2.38020726,
                                       -.3166346, .27363867, 1.61927182, -.42140166, 1.33243101});
    const mat indefinite =
        symmetric(5, {.88547534, 2.90692271, .98440885, -.78911503, -.28035809, -.04618819,
                      .32867263, -.83737945, .17116396, -.87355957, -.06521957, -1.43030957,
                      -1.645709, -.33887298, -1.68586978});
    const mat trlib = {{-3, -.5, 0}, {-.5, 2, -.75}, {0, -.75, 1}};
    const mat reducible = {{1, 0, 0}, {0, 2, 1}, {0, 1, -1.75}};
    const vec zero_g_x = {.06910533, -.01432720, -.65311947, -.23815971, -.84954934};
    return {
        {"scipy easy",
         scipy4,
         {1, 1, 1, 1},
         1,
         8.42375203946,
         -4.39828798946,
         {.0039333236, -.5526086228, .6706547716, -.4948034118},
         false},
        {"scipy hard",
         scipy4,
         {6.4852641521327437, 1, 1, 1},
         1,
         8.21515198744,
         -5.27718624169,
         {},
         false},
        {"scipy interior",
         interior,
         {.75798952, .01421945, .33847612, .83725004, -.47909534},
         1.1,
         0,
         -.652617615253,
         {-.68585434, .12226210, -.22090999, -.67005052, .31586769},
         false},
        {"scipy zero g", indefinite, arma::zeros(5), 1.1, 2.85477467787, -1.72713868011, zero_g_x,
         true},
        {"scipy near-zero g",
         indefinite,
         {0, 0, 0, 0, 1e-15},
         1.1,
         2.85477467787,
         -1.72713868011,
         zero_g_x,
         false},
        {"Optim.jl 1270",
         {{-2, 0}, {0, 1}},
         {0, 1},
         1,
         2,
         -7.0 / 6,
         {std::sqrt(8.0) / 3, -1.0 / 3},
         true},
        {"Optim.jl",
         arma::diagmat(vec{0, -20, 0}),
         {1, 0, -1},
         1,
         20,
         -10.05,
         {-.05, .9974968672, .05},
         true},
        {"Optim.jl I",
         {{.945787, -3.07884}, {-3.07884, -1.27762}},
         {-.74637, .52388},
         1,
         3.43944476964,
         -1.78329029056,
         {.68301349, .73040576},
         false},
        {"trlib indefinite",
         trlib,
         {3, 4, 0},
         1,
         6.78522223036,
         -5.69902498147,
         {-.85971452, -.50842104, -.04897943},
         false},
        {"trlib indefinite, small ball",
         trlib,
         {3, 4, 0},
         .5,
         11.2078513758,
         -2.61540832204,
         {-.38490783, -.31853258, -.01956933},
         false},
        {"trlib reducible",
         reducible,
         {1, 0, 0},
         1,
         2,
         -7.0 / 6,
         {-1.0 / 3, -.22866478, .91465912},
         true},
        {"trlib reducible, small ball", reducible, {1, 0, 0}, .1, 9, -.095, {-.1, 0, 0}, false},
        {"GALAHAD",
         {{1, 0, 4}, {0, 2, 0}, {4, 0, 3}},
         {0, 2, 0},
         1,
         2.12310562562,
         -1.54662406288,
         {-.68926566, -.48507125, .53816237},
         true},
        {"DCA trap", {{-2, 0}, {0, 1}}, {.1, 0}, 1, 2.1, -1.1, {-1, 0}, false},
    };
}

void check(const Known &known, const linalg::TrustRegionMinimum &found, double tolerance) {
    check_close(known.name, found.value, known.value, 1e-10);
    check_true(known.name, found.lower <= found.value && found.value - found.lower < 1e-10);
    check_true(known.name, arma::norm(found.x) <= known.radius * (1 + 1e-14));
    check_close(known.name, found.multiplier, known.multiplier, tolerance);
    for (arma::uword i = 0; i < known.x.n_elem; ++i) {
        const double x = known.sign_free ? std::abs(found.x(i)) : found.x(i);
        const double y = known.sign_free ? std::abs(known.x(i)) : known.x(i);
        check_true(known.name, std::abs(x - y) <= tolerance);
    }
}

void exact_solver_gives_known_answers() {
    for (const Known &known : known_answers())
        check(known, linalg::minimize_in_ball(linalg::decompose(known.h), known.g, known.radius),
              2e-8);
}

void dca_with_restarts_gives_known_answers() {
    NoControl control;
    for (const Known &known : known_answers()) {
        const auto found =
            minimize_by_dca(linalg::decompose(known.h), known.g, known.radius, control);
        check_close(known.name, found.value, known.value, 1e-9);
        check_true(known.name, found.lower <= known.value + 1e-10);
    }
}

/** H = 0: against the slope to the boundary; and where there is none, nothing moves. */
void dca_of_linear_functions() {
    NoControl control;
    const linalg::Spectrum zero = linalg::decompose(mat(2, 2, arma::fill::zeros));
    const auto down = minimize_by_dca(zero, vec{3.0, 4.0}, 2.0, control);
    check_close("value", down.value, -10.0, 1e-12);
    check_close("first", down.x(0), -1.2, 1e-12);
    check_close("second", down.x(1), -1.6, 1e-12);
    const auto flat = minimize_by_dca(zero, vec{0.0, 0.0}, 2.0, control);
    check_true("flat", flat.value == 0.0 && arma::norm(flat.x) <= 2.0);
}

/** H = tridiagonal (-2; 1) of order 10000, g = 1, 2 ||x||^2 <= 100: its eigenbasis is known in
 * closed form. */
void galahad_large_problem() {
    constexpr arma::uword n = 10000;
    vec values(n);
    vec gamma(n);
    for (arma::uword k = 1; k <= n; ++k) {
        const double angle = static_cast<double>(n + 1 - k) * std::numbers::pi / (n + 1);
        values(k - 1) = -2.0 + 2.0 * std::cos(angle);
        const bool odd = (n + 1 - k) % 2 == 1;
        gamma(k - 1) = odd ? std::sqrt(2.0 / (n + 1)) / std::tan(angle / 2) : 0.0;
    }
    const auto found = linalg::minimize_secular(values, gamma, 10 / std::numbers::sqrt2);
    check_true("multiplier in the norm of M = 2I", std::abs(found.multiplier / 2 - 7.07118) < 5e-5);
    check_true("value, with their constant 1", std::abs(found.dual + 1.0 + 706.112) < 5e-3);
}

/** Pick H, x and lambda, then g = -(H + lambda I) x makes x the minimizer: hard case when lambda =
 * -e_1. */
void constructed_problems() {
    Random random(20261121);
    for (int trial = 0; trial < 400; ++trial) {
        const auto n = static_cast<arma::uword>(1 + trial % 12);
        mat h(n, n);
        h.imbue([&] { return random.normal(); });
        h = arma::symmatu(h);
        if (trial % 5 == 0) h.col(0) *= 1e-6, h.row(0) *= 1e-6;
        const linalg::Spectrum spectrum = linalg::decompose(h);
        vec x(n);
        x.imbue([&] { return random.normal(); });
        const double least = spectrum.values(0);
        const bool hard = trial % 3 == 0 && least < 0;
        const double lambda = std::max(0.0, -least) + (hard ? 0.0 : std::abs(random.normal()));
        vec g = -(h * x + lambda * x);
        if (hard) g -= spectrum.vectors.col(0) * arma::dot(spectrum.vectors.col(0), g);
        if (trial % 4 == 1) g += 1e-17 * spectrum.vectors.col(0);  // near-hard
        const double radius = arma::norm(x);
        const auto found = linalg::minimize_in_ball(spectrum, g, radius);
        const double value = 0.5 * arma::dot(x, h * x) + arma::dot(g, x);
        const double size = arma::norm(spectrum.values) * radius * radius + arma::norm(g) * radius;
        check_true("value", std::abs(found.value - value) <= 1e-12 * size);
        check_true("certificate",
                   found.lower <= found.value && found.value - found.lower <= 1e-12 * size);
    }
}

void degenerate_problems() {
    const linalg::Spectrum none = linalg::decompose(arma::zeros(3, 3));
    check_true("H = 0, g = 0", linalg::minimize_in_ball(none, arma::zeros(3), 2.0).value == 0.0);
    check_close("H = 0", linalg::minimize_in_ball(none, {3, 0, 4}, 2.0).value, -10.0, 1e-15);
    check_true("radius 0", arma::norm(linalg::minimize_in_ball(none, {3, 0, 4}, 0.0).x) == 0.0);
    const linalg::Spectrum scaled = linalg::decompose(-2.0 * arma::eye(3, 3));
    check_close("H = -2I", linalg::minimize_in_ball(scaled, arma::zeros(3), 3.0).value, -9.0,
                1e-15);
    const auto tiny =
        linalg::minimize_in_ball(linalg::decompose(1e-280 * arma::eye(2, 2)), vec{1e-290, 0}, 1.0);
    check_close("tiny numbers", tiny.x(0), -1e-10, 1e-12);
}

/** Eigenvectors of equal eigenvalues are any, and their signs too, but not what is made of them. */
void matrices_of_other_eigenvalues() {
    for (const double noise : {0.0, 1e-15, -1e-15}) {
        const mat h = {{2.0 + noise, noise, 0.0}, {noise, 2.0, 0.0}, {0.0, 0.0, 5.0 - noise}};
        const linalg::Spectrum spectrum = linalg::decompose(h);
        check_true("itself", arma::abs(spectrum.with(spectrum.values) - h).max() < 1e-14);
        const mat root = spectrum.with(arma::sqrt(spectrum.values));
        check_true("the root", arma::abs(root * root - h).max() < 1e-14);
        check_true("axes", arma::abs(root - arma::diagmat(arma::sqrt(h.diag()))).max() < 1e-14);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(exact_solver_gives_known_answers),
        core_test(dca_with_restarts_gives_known_answers),
        core_test(dca_of_linear_functions),
        core_test(galahad_large_problem),
        core_test(constructed_problems),
        core_test(degenerate_problems),
        core_test(matrices_of_other_eigenvalues),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
