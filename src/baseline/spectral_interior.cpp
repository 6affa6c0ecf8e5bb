#include "baseline/spectral_interior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/control.hpp"
#include "base/parallel.hpp"
#include "baseline/kernel.hpp"

namespace dpadapt::baseline {
namespace {

using arma::mat;
using arma::vec;

constexpr std::array<double, 2> kSign = {1.0, -1.0};  // of M(q) in t I - M(q), t I + M(q)

mat symmetric_part(const mat &a) { return 0.5 * (a + a.t()); }

double inner(const mat &a, const mat &b) { return arma::accu(a % b); }

/** Largest a <= limit with x + a dx >= 0. */
double longest(const vec &x, const vec &dx, double limit) {
    for (arma::uword k = 0; k < x.n_elem; ++k)
        if (x(k) + limit * dx(k) < 0.0) limit = -x(k) / dx(k);
    return limit;
}

/** The same for matrices; 0 when x is not positive definite. */
double longest(const mat &x, const mat &dx, double limit) {
    mat l;
    mat half;
    mat change;
    vec values;
    if (!arma::chol(l, x, "lower") ||
        !arma::solve(half, arma::trimatl(l), dx, arma::solve_opts::fast) ||
        !arma::solve(change, arma::trimatl(l), half.t(), arma::solve_opts::fast) ||
        !arma::eig_sym(values, symmetric_part(change)))
        return 0.0;
    return values.min() < 0.0 ? std::min(limit, -1.0 / values.min()) : limit;
}

}  // namespace

struct SpectralProgram::Slacks {
    std::array<mat, 2> x;  ///< t I - M(q), t I + M(q)
    vec reduced;
};

/** The system [H g 1; g' c 0; 1' 0 0] of a Newton step over (q, t, nu), with H factorized. */
struct SpectralProgram::Newton {
    std::array<mat, 2> inverse;  ///< of the slacks
    mat l;                       ///< H = l l'
    mat solved;                  ///< H^-1 (g, 1)
    vec g;
    double c = 0.0;
};

struct SpectralProgram::Direction {
    vec q;
    double t = 0.0;
    double nu = 0.0;
    vec reduced;
    std::array<mat, 2> x;
    std::array<mat, 2> s;
};

SpectralProgram::SpectralProgram(const mat &target, const mat &z, const vec &cost,
                                 std::size_t threads)
    : target_(target), z_(z), cost_(cost), threads_(threads) {}

mat SpectralProgram::residual(const vec &q) const { return target_ - second_moment(z_, q); }

InteriorPoint SpectralProgram::start(const vec &q) const {
    const arma::uword d = target_.n_rows;
    const mat half(arma::diagmat(vec(d, arma::fill::value(0.5 / static_cast<double>(d)))));
    const double t = 1.5 * arma::norm(residual(q), 2) + 1e-3;
    return {q, t, {half, half}, t};
}

SpectralProgram::Slacks SpectralProgram::slacks(const InteriorPoint &point) const {
    const mat m = residual(point.q);
    Slacks slacks;
    for (std::size_t k = 0; k < 2; ++k) {
        slacks.x[k] = -kSign[k] * m;
        slacks.x[k].diag() += point.t;
    }
    slacks.reduced = cost_ % point.q - quadratic_forms(z_, point.dual(), threads_) + point.nu;
    return slacks;
}

double SpectralProgram::gap(const InteriorPoint &point) const {
    const Slacks current = slacks(point);
    if (point.q.min() <= 0.0 || current.reduced.min() <= 0.0)
        return std::numeric_limits<double>::infinity();
    return arma::dot(point.q, current.reduced) + inner(current.x[0], point.s[0]) +
           inner(current.x[1], point.s[1]);
}

/** H = diag(cost + reduced / q) + sum over both slacks of (z'x^-1 z) % (z's z), factorized. */
bool SpectralProgram::kernel(const InteriorPoint &point, const Slacks &slacks,
                             Newton &newton) const {
    constexpr arma::uword kTile = 128;
    const arma::uword size = z_.n_cols;
    mat &h = newton.l;
    h.zeros(size, size);
    parallel_blocks(size, kTile, threads_, [&](std::size_t first, std::size_t end) {
        const arma::uword last = end - 1;
        const mat rows = z_.cols(first, size - 1).t();
        count_work(kTile * rows.n_rows, 4 + rows.n_cols / 4);
        mat sum(rows.n_rows, last - first + 1, arma::fill::zeros);
        for (std::size_t k = 0; k < 2; ++k)
            sum += (rows * (newton.inverse[k] * z_.cols(first, last))) %
                   (rows * (point.s[k] * z_.cols(first, last)));
        h.submat(first, first, size - 1, last) = sum;
    });
    h.diag() += cost_ + slacks.reduced / point.q;
    return arma::chol(h, h, "lower");
}

bool SpectralProgram::factorize(const InteriorPoint &point, const Slacks &slacks,
                                Newton &newton) const {
    mat coupling(target_.n_rows, target_.n_rows, arma::fill::zeros);
    for (std::size_t k = 0; k < 2; ++k) {
        if (!arma::inv_sympd(newton.inverse[k], slacks.x[k])) return false;
        coupling += kSign[k] * symmetric_part(newton.inverse[k] * point.s[k]);
        newton.c += inner(newton.inverse[k], point.s[k]);
    }
    newton.g = quadratic_forms(z_, coupling, threads_);
    if (!kernel(point, slacks, newton)) return false;
    const mat borders = arma::join_rows(newton.g, vec(z_.n_cols, arma::fill::ones));
    mat half;
    return arma::solve(half, arma::trimatl(newton.l), borders, arma::solve_opts::fast) &&
           arma::solve(newton.solved, arma::trimatu(newton.l.t()), half, arma::solve_opts::fast);
}

/** Direction to the point of the central path at `center`; with a predictor, products of its
 *  changes are taken into account. */
SpectralProgram::Direction SpectralProgram::direction(const InteriorPoint &point,
                                                      const Slacks &slacks, const Newton &newton,
                                                      double center,
                                                      const Direction *predictor) const {
    std::array<mat, 2> wanted;  // s less what the changes of the slacks take from it
    vec product(z_.n_cols, arma::fill::value(center));
    for (std::size_t k = 0; k < 2; ++k) {
        wanted[k] = center * newton.inverse[k] - point.s[k];
        if (predictor != nullptr)
            wanted[k] -= symmetric_part(newton.inverse[k] * predictor->x[k] * predictor->s[k]);
    }
    if (predictor != nullptr) product -= predictor->q % predictor->reduced;
    const vec right =
        product / point.q - slacks.reduced + quadratic_forms(z_, wanted[0] - wanted[1], threads_);
    const double trace = arma::trace(wanted[0]) + arma::trace(wanted[1]);

    const vec half = arma::solve(arma::trimatl(newton.l), right, arma::solve_opts::fast);
    const vec free = arma::solve(arma::trimatu(newton.l.t()), half, arma::solve_opts::fast);
    // Two equations for (dt, dnu), by Cramer's rule.
    const vec by_g = newton.solved.col(0);
    const vec by_one = newton.solved.col(1);
    const double a = arma::dot(newton.g, by_g) - newton.c;
    const double b = arma::accu(by_g);
    const double c = arma::accu(by_one);
    const double u = arma::dot(newton.g, free) - trace;
    const double v = arma::accu(free) - (1.0 - arma::accu(point.q));
    const double determinant = a * c - b * b;
    const double t = (u * c - b * v) / determinant;
    const double nu = (a * v - b * u) / determinant;

    Direction step{free - t * by_g - nu * by_one, t, nu, {}, {}, {}};
    const mat moved = second_moment(z_, step.q);
    for (std::size_t k = 0; k < 2; ++k) {
        step.x[k] = kSign[k] * moved;
        step.x[k].diag() += step.t;
        step.s[k] = wanted[k] - symmetric_part(newton.inverse[k] * step.x[k] * point.s[k]);
    }
    step.reduced = cost_ % step.q - quadratic_forms(z_, step.s[0] - step.s[1], threads_) + step.nu;
    return step;
}

bool SpectralProgram::advance(InteriorPoint &point) const {
    const Slacks current = slacks(point);
    Newton newton;
    if (!factorize(point, current, newton)) return false;
    const auto length = [&](const Direction &step, double limit) {
        limit = longest(current.reduced, step.reduced, longest(point.q, step.q, limit));
        for (std::size_t k = 0; k < 2; ++k)
            limit = longest(point.s[k], step.s[k], longest(current.x[k], step.x[k], limit));
        return limit;
    };
    const auto moved = [&](const Direction &step, double a) {
        return InteriorPoint{point.q + a * step.q,
                             point.t + a * step.t,
                             {point.s[0] + a * step.s[0], point.s[1] + a * step.s[1]},
                             point.nu + a * step.nu};
    };
    const double parts = static_cast<double>(z_.n_cols + 2 * target_.n_rows);
    const double before = gap(point);
    const Direction predictor = direction(point, current, newton, 0.0, nullptr);
    const double reach = length(predictor, 1.0);
    // The gap is linear in a step without centring, up to the products of the changes.
    const double left = std::max(0.0, gap(moved(predictor, 0.999 * reach))) / before;
    const double centering = reach > 0.1 ? std::clamp(left * left, 1e-4, 1.0) : 1.0;
    const Direction step =
        direction(point, current, newton, centering * before / parts, &predictor);
    const InteriorPoint next = moved(step, std::min(1.0, 0.98 * length(step, 1.1)));
    if (!std::isfinite(gap(next))) return false;
    point = next;
    return true;
}

}  // namespace dpadapt::baseline
