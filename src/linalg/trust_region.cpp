#include "linalg/trust_region.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "linalg/gram.hpp"

namespace dpadapt::linalg {

namespace {

/** c_i = -gamma_i / (gap_i + sigma), where 0/0 is 0: components that vanish stay out of the hard
 *  case. */
arma::vec coordinates_at(const arma::vec &gap, const arma::vec &gamma, double sigma) {
    arma::vec c(gamma.n_elem, arma::fill::zeros);
    for (arma::uword i = 0; i < c.n_elem; ++i)
        if (gamma(i) != 0.0) c(i) = -gamma(i) / (gap(i) + sigma);
    return c;
}

/** Root of ||c(sigma)|| = radius to the right of `left`, where the norm exceeds the radius. */
double secular_root(const arma::vec &gap, const arma::vec &gamma, double left, double radius) {
    constexpr int kMostSteps = 200;
    double sigma = left;
    double right = std::max(left, arma::norm(gamma) / radius);
    for (int step = 0; step < kMostSteps; ++step) {
        const arma::vec c = coordinates_at(gap, gamma, sigma);
        const double norm = arma::norm(c);
        if (norm <= radius) right = std::min(right, sigma);
        double slope = 0.0;  // of norm^2 / 2, negative
        for (arma::uword i = 0; i < c.n_elem; ++i)
            if (c(i) != 0.0) slope -= c(i) * c(i) / (gap(i) + sigma);
        // Newton on 1/norm - 1/radius.
        const double next = sigma + (norm / radius - 1.0) * norm * norm / -slope;
        if (!std::isfinite(next) || next > right) {
            sigma = 0.5 * (sigma + right);
            continue;
        }
        if (std::abs(next - sigma) <= 2.0 * std::numeric_limits<double>::epsilon() * sigma)
            return next;
        sigma = next;
    }
    return sigma;
}

/** A start to the left of the root: c(sigma) is at least as long as its components of smallest gap.
 */
double left_of_root(const arma::vec &gap, const arma::vec &gamma, double least, double radius) {
    double start = least;
    for (arma::uword i = 0; i < gap.n_elem; ++i)
        start = std::max(start, std::abs(gamma(i)) / radius - gap(i));
    return start;
}

}  // namespace

Spectrum decompose(arma::mat symmetric) {
    Spectrum spectrum;
    if (!symmetric.is_finite() || !arma::eig_sym(spectrum.values, spectrum.vectors, symmetric))
        throw Error(DPA_E_NUMERICAL, "the eigendecomposition of a moment matrix failed");
    spectrum.matrix = std::move(symmetric);
    return spectrum;
}

SecularMinimum minimize_secular(const arma::vec &values, const arma::vec &gamma, double radius) {
    const double least = values(0);
    const arma::vec gap = values - least;
    const double boundary = std::max(0.0, least);
    SecularMinimum minimum;

    double sigma = boundary;
    minimum.coordinates = coordinates_at(gap, gamma, sigma);
    const double norm = arma::norm(minimum.coordinates);
    if (norm > radius || !std::isfinite(norm)) {
        sigma = secular_root(gap, gamma, left_of_root(gap, gamma, boundary, radius), radius);
        minimum.coordinates = coordinates_at(gap, gamma, sigma);
        minimum.coordinates *= radius / arma::norm(minimum.coordinates);
    } else if (least < 0.0) {
        // Hard case: the first eigenvector carries the rest of the way to the sphere.
        minimum.coordinates(0) += std::sqrt((radius - norm) * (radius + norm));
    }
    minimum.multiplier = sigma - least;
    minimum.dual = -0.5 * minimum.multiplier * radius * radius;
    for (arma::uword i = 0; i < gap.n_elem; ++i)
        if (gamma(i) != 0.0) minimum.dual -= 0.5 * gamma(i) * gamma(i) / (gap(i) + sigma);
    return minimum;
}

double trust_region_rounding(const Spectrum &h, const arma::vec &g, double radius) {
    const double size = arma::norm(h.values) * radius * radius + arma::norm(g) * radius;
    return 4.0 * static_cast<double>(g.n_elem + 4) * std::numeric_limits<double>::epsilon() * size;
}

TrustRegionMinimum minimize_in_ball(const Spectrum &h, const arma::vec &g, double radius) {
    TrustRegionMinimum minimum;
    if (radius == 0.0) {
        minimum.x.zeros(g.n_elem);
        return minimum;
    }
    const arma::vec gamma = h.vectors.t() * g;
    const SecularMinimum secular = minimize_secular(h.values, gamma, radius);
    minimum.x = projected(h.vectors * secular.coordinates, radius);
    minimum.multiplier = secular.multiplier;
    minimum.value = 0.5 * arma::dot(minimum.x, h.matrix * minimum.x) + arma::dot(g, minimum.x);
    minimum.lower = std::min(minimum.value, secular.dual - trust_region_rounding(h, g, radius));
    return minimum;
}

std::optional<arma::vec> solve_scaled(const arma::mat &h, const arma::vec &b, double ridge) {
    // A power of two rounds nothing: the root of another one would.
    const double largest = h.is_empty() ? 0.0 : h.diag().max();
    const double unit = power_of_two(largest);
    const arma::mat scaled = h / unit;
    return solve_scaled(scaled, b / unit, ridge, arma::sqrt(scaled.diag()));
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
