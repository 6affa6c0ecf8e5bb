#include "linalg/quadratic_model.hpp"

#include <algorithm>
#include <limits>

#include "linalg/scaled_solve.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt::linalg {

arma::vec minimize_quadratic_in_ball(arma::mat h, const arma::vec &x, const arma::vec &gradient,
                                     double radius) {
    constexpr double kRidge = 1e-12;
    const auto step = solve_scaled(h, -gradient, kRidge);
    if (step && arma::norm(x + *step) <= radius) return x + *step;
    h.diag() += std::max(kRidge * arma::trace(h) / static_cast<double>(h.n_rows),
                         std::numeric_limits<double>::min());
    const arma::vec linear = gradient - h * x;
    return minimize_in_ball(decompose(std::move(h)), linear, radius).x;
}

}  // namespace dpadapt::linalg
