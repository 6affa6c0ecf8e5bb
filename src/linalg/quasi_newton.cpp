#include "linalg/quasi_newton.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/quadratic_model.hpp"

namespace dpadapt::linalg {
namespace {

constexpr std::size_t kMemory = 10;

/** The BFGS update of B for a step s along which the gradient changes by y. */
void update_matrix(arma::mat &b, const arma::vec &s, const arma::vec &y) {
    const arma::vec image = b * s;
    const double curvature = arma::dot(s, image);
    if (!(curvature > 0.0)) return;
    b += y * y.t() / arma::dot(s, y) - image * image.t() / curvature;
}

/** The cosine between step and change is about 2 / sqrt(condition number) at worst. */
bool convex_along(const arma::vec &step, const arma::vec &change) {
    constexpr double kLeastCosine = 1e-8;
    const double size = arma::norm(step) * arma::norm(change);
    return size > 0.0 && arma::dot(step, change) >= kLeastCosine * size;
}

}  // namespace

void QuasiNewton::update(arma::vec step, arma::vec change) {
    constexpr double kDamping = 0.2;
    if (!convex_along(step, change)) {
        if (pairs_.empty()) return;
        const double slope = arma::dot(step, change) / arma::dot(step, step);
        change += (kDamping * scale() - slope) * step;
        if (!convex_along(step, change)) return;
    }
    if (pairs_.size() == kMemory) pairs_.erase(pairs_.begin());
    pairs_.push_back({std::move(step), std::move(change)});
}

double QuasiNewton::scale() const {
    const Pair &last = pairs_.back();
    return arma::dot(last.change, last.change) / arma::dot(last.step, last.change);
}

/** B is a multiple of the identity outside the span of all steps and changes, and the linear term
 *  lies in that span together with x and the gradient: so does the minimizer. In an orthonormal
 *  basis of the span the problem is small and dense, and it is solved exactly. */
arma::vec QuasiNewton::minimize(const arma::vec &x, const arma::vec &gradient,
                                double radius) const {
    const std::size_t count = pairs_.size();
    arma::mat vectors(x.n_elem, 2 * count + 2);
    for (std::size_t i = 0; i < count; ++i) {
        vectors.col(2 * i) = pairs_[i].step;
        vectors.col(2 * i + 1) = pairs_[i].change;
    }
    vectors.col(2 * count) = x;
    vectors.col(2 * count + 1) = gradient;
    arma::mat basis;
    arma::mat small;  // the vectors in this basis
    if (!vectors.is_finite() || !arma::qr_econ(basis, small, vectors)) return x;

    const double gamma = empty() ? arma::norm(gradient) / std::min(1.0, radius) : scale();
    arma::mat b = gamma * arma::eye(basis.n_cols, basis.n_cols);
    for (std::size_t i = 0; i < count; ++i)
        update_matrix(b, small.col(2 * i), small.col(2 * i + 1));
    if (!b.is_finite()) return x;
    const arma::vec from = small.col(2 * count);
    return x + basis * (minimize_quadratic_in_ball(std::move(b), from, small.col(2 * count + 1),
                                                   radius) -
                        from);
}

}  // namespace dpadapt::linalg
