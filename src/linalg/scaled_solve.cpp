#include "linalg/scaled_solve.hpp"

namespace dpadapt::linalg {

std::optional<arma::vec> solve_scaled(const arma::mat &h, const arma::vec &b, double ridge) {
    return solve_scaled(h, b, ridge, arma::sqrt(h.diag()));
}

std::optional<arma::vec> solve_scaled(const arma::mat &h, const arma::vec &b, double ridge,
                                      arma::vec size) {
    // A column of zeros, or of their rounding errors, must not be scaled up.
    const double least = 1e-14 * size.max();
    size.transform([least](double length) { return length > least ? length : 1.0; });
    arma::mat scaled = h / (size * size.t());
    scaled.diag() += ridge;
    arma::vec x;
    if (!arma::solve(x, scaled, arma::vec(b / size),
                     arma::solve_opts::likely_sympd + arma::solve_opts::no_approx) ||
        !x.is_finite())
        return std::nullopt;
    return x / size;
}

}  // namespace dpadapt::linalg
