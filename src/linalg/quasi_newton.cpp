#include "linalg/quasi_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/trust_region.hpp"

namespace dpadapt::linalg {

namespace {

constexpr std::size_t kMemory = 20;  // docs/defaults.md

/** The BFGS update of B for a step s along which the gradient changes by y. Zeros at the end of
 *  both may be left out while B is diagonal there: it stays so. */
void update_matrix(arma::mat &b, const arma::vec &s, const arma::vec &y) {
    const arma::vec image = b.submat(0, 0, arma::size(s.n_elem, s.n_elem)) * s;
    const double curvature = arma::dot(s, image);
    if (!(curvature > 0.0)) return;
    const arma::vec added = y / std::sqrt(arma::dot(s, y));
    const arma::vec taken = image / std::sqrt(curvature);
    for (arma::uword j = 0; j < s.n_elem; ++j) {
        double *column = b.colptr(j);
        for (arma::uword i = 0; i < s.n_elem; ++i)
            column[i] += added[j] * added[i] - taken[j] * taken[i];
    }
}

/** The cosine between step and change is about 2 / sqrt(condition number) at worst. */
bool convex_along(const arma::vec &step, const arma::vec &change) {
    constexpr double kLeastCosine = 1e-8;
    const double size = arma::norm(step) * arma::norm(change);
    return size > 0.0 && arma::dot(step, change) >= kLeastCosine * size;
}

/** B = diag(diagonal) + across low across'. */
struct Model {
    arma::vec diagonal;
    arma::mat across;
    arma::mat low;
};

/** (B + shift I)^-1, by Woodbury's formula. */
class Inverse {
  public:
    Inverse(const Model &model, double shift) : diagonal_(model.diagonal + shift) {
        if (model.low.is_empty()) return;
        across_ = model.across.each_col() / diagonal_;
        arma::mat left = model.low * (model.across.t() * across_);
        left.diag() += 1.0;
        if (!arma::solve(low_, left, model.low, arma::solve_opts::no_approx))
            low_ = arma::mat(arma::size(left), arma::fill::value(arma::datum::nan));
    }
    arma::vec operator()(const arma::vec &v) const {
        arma::vec result = v / diagonal_;
        if (!low_.is_empty()) result -= across_ * (low_ * (across_.t() * v));
        return result;
    }

  private:
    arma::vec diagonal_;
    arma::mat across_;
    arma::mat low_;
};

/** y(s) = argmin of the model plus s ||y||^2/2 = x - (B + s)^-1 (gradient + s x). Unless y(0) lies
 *  in the ball, s is the root of ||y(s)|| = radius: 1/||y(s)|| is concave, so Newton's steps from
 *  the left are monotone (Conn, Gould, Toint, Trust-Region Methods (2000), section 7.3). */
arma::vec minimize_model(const Model &model, const arma::vec &x, const arma::vec &gradient,
                         double radius) {
    constexpr int kMostSteps = 100;
    arma::vec y;
    double shift = 0.0;
    for (int step = 0; step < kMostSteps; ++step) {
        const Inverse inverse(model, shift);
        y = x - inverse(gradient + shift * x);
        const double norm = arma::norm(y);
        if (!std::isfinite(norm)) return x;
        if (norm <= radius) break;
        const double next = shift + (norm / radius - 1.0) * norm * norm / arma::dot(y, inverse(y));
        y *= radius / norm;
        if (!(next - shift > 2.0 * std::numeric_limits<double>::epsilon() * next)) break;
        shift = next;
    }
    return y;
}

}  // namespace

void QuasiNewton::scale_by(arma::vec diagonal, double floor) {
    constexpr double kAlike = 10.0;
    if (diagonal.is_empty() || !diagonal.is_finite() || !(diagonal.max() > 0.0)) return;
    diagonal.replace(0.0, diagonal.max());  // of an entry that does not matter here
    diagonal.clamp(floor, arma::datum::inf);
    if (!scaled_ && diagonal.max() <= kAlike * diagonal.min()) return;
    root_ = arma::sqrt(diagonal);
    scaled_ = true;
}

void QuasiNewton::update(arma::vec step, arma::vec change) {
    constexpr double kDamping = 0.2;
    const auto is_convex = [&] { return convex_along(root_ % step, change / root_); };
    if (!is_convex()) {
        if (pairs_.empty()) return;
        const arma::vec image = arma::square(root_) % step;
        change += (kDamping * scale() - arma::dot(step, change) / arma::dot(step, image)) * image;
        if (!is_convex()) return;
    }
    if (pairs_.size() == kMemory) pairs_.erase(pairs_.begin());
    pairs_.push_back({std::move(step), std::move(change)});
}

double QuasiNewton::scale() const {
    const Pair &last = pairs_.back();
    const arma::vec change = last.change / root_;
    return arma::dot(change, change) / arma::dot(last.step, last.change);
}

/** In coordinates in which D is 1, B is a multiple of the identity outside the span of all steps
 *  and changes. In an orthonormal basis of the span what it adds is small and dense. */
arma::vec QuasiNewton::minimize(const arma::vec &x, const arma::vec &gradient,
                                double radius) const {
    if (!(radius > 0.0)) return x;
    Model model;
    double gamma = scaled_ ? 1.0 : arma::norm(gradient) / std::min(1.0, radius);
    if (!empty()) {
        const std::size_t count = pairs_.size();
        arma::mat vectors(x.n_elem, 2 * count);
        for (std::size_t i = 0; i < count; ++i) {
            vectors.col(2 * i) = root_ % pairs_[i].step;
            vectors.col(2 * i + 1) = pairs_[i].change / root_;
        }
        if (!vectors.is_finite()) return x;
        arma::mat basis;
        arma::mat small;  // the vectors in this basis
        const bool triangular = vectors.n_cols < vectors.n_rows;
        if (triangular) {
            if (!arma::qr_econ(basis, small, vectors)) return x;
        } else {
            basis.eye(x.n_elem, x.n_elem);
            small = std::move(vectors);
        }
        gamma = scale();
        arma::mat b = gamma * arma::eye(basis.n_cols, basis.n_cols);
        for (std::size_t i = 0; i < count; ++i) {
            const arma::span reach(0, (triangular ? 2 * i + 2 : b.n_cols) - 1);
            update_matrix(b, small(reach, 2 * i), small(reach, 2 * i + 1));
        }
        b.diag() -= gamma;
        if (!b.is_finite()) return x;
        model.across = basis.each_col() % root_;
        model.low = std::move(b);
    }
    model.diagonal = gamma * arma::square(root_);
    return minimize_model(model, x, gradient, radius);
}

arma::vec minimize_quadratic_in_ball(arma::mat h, const arma::vec &x, const arma::vec &gradient,
                                     double radius) {
    // So large that rounding errors of a gradient without curvature lead nowhere.
    constexpr double kRidge = 1e-8;  // docs/defaults.md
    if (auto step = solve_scaled(h, -gradient, kRidge)) {
        if (const auto rest = solve_scaled(h, -(gradient + h * *step), kRidge)) *step += *rest;
        if (arma::norm(x + *step) <= radius) return x + *step;
    }
    h.diag() += std::max(kRidge * arma::trace(h) / static_cast<double>(h.n_rows),
                         std::numeric_limits<double>::min());
    const arma::vec linear = gradient - h * x;
    return minimize_in_ball(decompose(std::move(h)), linear, radius).x;
}

}  // namespace dpadapt::linalg
