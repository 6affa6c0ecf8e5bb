#include "baseline/hull_projection.hpp"

#include <array>
#include <cmath>

#include "base/control.hpp"
#include "base/parallel.hpp"

namespace dpadapt::baseline {
namespace {

using arma::mat;
using arma::vec;

constexpr double kRankTolerance = 1e-12;  // of the eigenvalues of the rows' second moment
constexpr double kPrecision = 1e-11;      // of the moments, in coordinates where the rows' are I
constexpr arma::uword kLargestSystem = 1300;
constexpr std::int64_t kProjectionSteps = 100;

/** A symmetric matrix as a vector with the same inner product. */
vec to_vector(const mat &s) {
    vec v(s.n_rows * (s.n_rows + 1) / 2);
    arma::uword k = 0;
    for (arma::uword j = 0; j < s.n_rows; ++j)
        for (arma::uword i = 0; i <= j; ++i) v(k++) = i == j ? s(i, j) : std::sqrt(2.0) * s(i, j);
    return v;
}

mat to_matrix(const vec &v, arma::uword d) {
    mat s(d, d);
    arma::uword k = 0;
    for (arma::uword j = 0; j < d; ++j)
        for (arma::uword i = 0; i <= j; ++i)
            s(i, j) = s(j, i) = i == j ? v(k++) : v(k++) / std::sqrt(2.0);
    return s;
}

/** The dual function of the projection: unknowns (S as a vector, nu). */
class HullDual {
  public:
    HullDual(const mat &z, const vec &copies, const mat &target, std::size_t threads)
        : z_(z), copies_(copies), target_(target), threads_(threads) {}

    struct Value {
        double f = 0.0;
        vec q;
        vec gradient;
    };

    [[nodiscard]] Value operator()(const vec &theta) const {
        const arma::uword last = theta.n_elem - 1;
        const mat s = to_matrix(theta.head(last), z_.n_rows);
        const vec share =
            arma::clamp(quadratic_forms(z_, s, threads_) + theta(last), 0.0, arma::datum::inf);
        Value value;
        value.q = copies_ % share;
        value.f = 0.5 * arma::dot(value.q, share) - arma::accu(s % target_) - theta(last);
        value.gradient.set_size(theta.n_elem);
        value.gradient.head(last) = to_vector(second_moment(z_, value.q) - target_);
        value.gradient(last) = arma::accu(value.q) - 1.0;
        return value;
    }

    /** Of a gradient at 0. */
    [[nodiscard]] double scale() const { return 1.0 + arma::norm(target_, "fro"); }

    /** sum of copies (z z', 1)(z z', 1)' over the rows of positive weight. */
    [[nodiscard]] mat hessian(const vec &q) const {
        constexpr std::size_t kParts = 4;  // always, so that threads do not change the sum
        const arma::uvec active = arma::find(q > 0.0);
        std::array<mat, kParts> sums;
        parallel_for(kParts, threads_, [&](std::size_t part) {
            sums[part] =
                moments(active, part * active.n_elem / kParts, (part + 1) * active.n_elem / kParts);
        });
        for (std::size_t part = 1; part < kParts; ++part) sums[0] += sums[part];
        return arma::symmatu(sums[0]);
    }

  private:
    [[nodiscard]] mat moments(const arma::uvec &active, arma::uword begin, arma::uword end) const {
        constexpr arma::uword kBlock = 128;
        const arma::uword order = z_.n_rows * (z_.n_rows + 1) / 2 + 1;
        mat sum(order, order, arma::fill::zeros);
        for (; begin < end; begin += kBlock) {
            mat block(order, std::min(kBlock, end - begin), arma::fill::none);
            count_work(kBlock * order, 2 + order / 16);
            for (arma::uword k = 0; k < block.n_cols; ++k) {
                const arma::uword row = active(begin + k);
                const vec z = z_.col(row);
                block.col(k).head(order - 1) = to_vector(z * z.t());
                block(order - 1, k) = 1.0;
                block.col(k) *= std::sqrt(copies_(row));
            }
            sum += block * block.t();
        }
        return sum;
    }

    const mat &z_;
    const vec &copies_;
    const mat &target_;
    std::size_t threads_;
};

/** Newton's method with halving; the weights where the gradient vanishes. */
std::optional<vec> find_zero(const HullDual &dual, vec theta, Control &control,
                             std::int64_t &iterations) {
    HullDual::Value value = dual(theta);
    for (std::int64_t step = 0; step < kProjectionSteps; ++step) {
        const double residual = arma::norm(value.gradient);
        if (residual <= kPrecision * dual.scale()) return value.q;
        if (value.f < -0.5 - kPrecision || theta.n_elem > kLargestSystem) return {};
        control.report({"moment matching", iterations++, kProjectionSteps, value.f, residual});
        mat h = dual.hessian(value.q);
        h.diag() += 1e-13 * arma::trace(h) + 1e-300;
        vec direction;
        if (!arma::solve(direction, h, -value.gradient,
                         arma::solve_opts::likely_sympd + arma::solve_opts::fast))
            return {};
        const double slope = arma::dot(direction, value.gradient);
        double a = 1.0;
        HullDual::Value next = dual(theta + direction);
        constexpr double kShortest = 1e-9;
        while (!(next.f <= value.f + 1e-4 * a * slope) && a > kShortest &&
               !(arma::norm(next.gradient) < 0.5 * residual)) {
            a *= 0.5;
            next = dual(theta + a * direction);
        }
        if (a <= kShortest) return {};
        theta += a * direction;
        value = std::move(next);
    }
    return {};
}

}  // namespace

std::optional<vec> project_on_hull(const DistinctRows &rows, const mat &target, std::size_t threads,
                                   Control &control, std::int64_t &iterations) {
    const double total = arma::accu(rows.count);
    vec values;
    mat axes;
    if (!arma::eig_sym(values, axes, second_moment(rows.columns, rows.count / total))) return {};
    const arma::uvec kept = arma::find(values > kRankTolerance * values.max());
    if (kept.is_empty()) {  // all rows are zero, and so is every sum of theirs
        if (arma::any(arma::vectorise(target) != 0.0)) return {};
        return vec(rows.count / total);
    }
    const mat basis = axes.cols(kept);
    const mat inside = basis * (basis.t() * target * basis) * basis.t();
    if (arma::norm(target - inside, "fro") > kPrecision * arma::norm(target, "fro")) return {};

    const mat map = arma::diagmat(1.0 / arma::sqrt(values.elem(kept))) * basis.t();
    const mat z = map * rows.columns;
    const mat mapped = map * target * map.t();
    vec theta(kept.n_elem * (kept.n_elem + 1) / 2 + 1, arma::fill::zeros);
    theta.back() = 1.0 / total;
    return find_zero(HullDual(z, rows.count, mapped, threads), theta, control, iterations);
}

}  // namespace dpadapt::baseline
