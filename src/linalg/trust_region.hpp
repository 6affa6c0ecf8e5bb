#pragma once

#include <optional>

#include "linalg/arma.hpp"

namespace dpadapt::linalg {

/** A symmetric matrix with its eigenvalues (ascending) and eigenvectors, whose signs do not depend
 *  on the processor. */
struct Spectrum {
    arma::mat matrix;
    arma::vec values;
    arma::mat vectors;

    /** The matrix of the same eigenvectors that has those eigenvalues. It moves as little as the
     *  matrix does, while signs and order of eigenvectors follow rounding. */
    [[nodiscard]] arma::mat with(const arma::vec &others) const {
        return vectors * arma::diagmat(others) * vectors.t();
    }
};

/** Eigendecomposition; throws Error(DPA_E_NUMERICAL) when LAPACK fails or the matrix is not finite.
 */
[[nodiscard]] Spectrum decompose(arma::mat symmetric);

/** A minimum in the eigenbasis: coordinates, the multiplier of the ball and the dual value. */
struct SecularMinimum {
    arma::vec coordinates;
    double multiplier = 0.0;
    double dual = 0.0;
};

/** Global minimum of 1/2 sum e_i c_i^2 + sum gamma_i c_i over ||c|| <= radius, e ascending.
 *
 *  The multiplier is written lambda = sigma - e_1 and sigma >= max(0, e_1) is the unknown: the
 *  secular function 1/||c(sigma)|| is concave in it, so Newton's method from the left is monotone,
 *  and nothing cancels in the near-hard case. Easy, interior and hard cases as in Conn, Gould,
 *  Toint, Trust-Region Methods (2000), section 7.3. The dual value -1/2 sum gamma_i^2/(e_i +
 *  lambda)
 *  - lambda radius^2/2 is a lower bound of the minimum, and equals it at the solution. */
[[nodiscard]] SecularMinimum minimize_secular(const arma::vec &values, const arma::vec &gamma,
                                              double radius);

/** Minimum of 1/2 x'Hx + g'x over ||x|| <= radius: value <= minimum + rounding, lower <= minimum.
 */
struct TrustRegionMinimum {
    arma::vec x;
    double multiplier = 0.0;
    double value = 0.0;  ///< at x
    double lower = 0.0;  ///< dual value less a bound on the rounding error
};

[[nodiscard]] TrustRegionMinimum minimize_in_ball(const Spectrum &h, const arma::vec &g,
                                                  double radius);

/** Bound on the rounding error of value and dual value of such a problem. */
[[nodiscard]] double trust_region_rounding(const Spectrum &h, const arma::vec &g, double radius);

/** Moves w to the nearest point of the ball ||w|| <= radius. */
inline void project_on_ball(arma::vec &w, double radius) {
    const double norm = arma::norm(w);
    if (norm > radius) w *= radius / norm;
}
[[nodiscard]] inline arma::vec projected(arma::vec w, double radius) {
    project_on_ball(w, radius);
    return w;
}

/** Solution of (H + ridge diag(H)) x = b for a positive semidefinite H, after scaling to unit
 *  diagonal, so that units of measurement do not matter; nothing when the scaled matrix is not
 *  safely positive definite. */
[[nodiscard]] std::optional<arma::vec> solve_scaled(const arma::mat &h, const arma::vec &b,
                                                    double ridge);

/** The same with columns of these sizes. */
[[nodiscard]] std::optional<arma::vec> solve_scaled(const arma::mat &h, const arma::vec &b,
                                                    double ridge, arma::vec size);

}  // namespace dpadapt::linalg
