#include "discrepancy/dca.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dpadapt {
namespace {

constexpr int kMostSteps = 100000;
constexpr int kMostRestarts = 200;

arma::vec project(const arma::vec &x, double radius) {
    const double norm = arma::norm(x);
    return norm > radius ? arma::vec(x * (radius / norm)) : x;
}

double value_at(const linalg::Spectrum &h, const arma::vec &g, const arma::vec &x) {
    return 0.5 * arma::dot(x, h.matrix * x) + arma::dot(g, x);
}

arma::vec run_dca(const linalg::Spectrum &h, const arma::vec &g, double radius, arma::vec x,
                  Control &control) {
    const double rho = std::max(h.values.back(), 1e-3 * arma::abs(h.values).max());
    if (rho <=
        0.0) {  // H = 0: a linear function, minimal where the projection of -g * infinity lies
        const double norm = arma::norm(g);
        return norm > 0.0 ? arma::vec(g * (-radius / norm)) : x;
    }
    for (int step = 0; step < kMostSteps; ++step) {
        if (step % 1024 == 0) control.report({"discrepancy", step, kMostSteps});
        const arma::vec next = project(x - (h.matrix * x + g) / rho, radius);
        const double moved = arma::norm(next - x);
        x = next;
        if (moved <= 4.0 * std::numeric_limits<double>::epsilon() * radius) break;
    }
    return x;
}

/** Multiplier of the ball at a KKT point: 0 inside. */
double multiplier_at(const linalg::Spectrum &h, const arma::vec &g, const arma::vec &x,
                     double radius) {
    if (arma::norm(x) < radius * (1.0 - 1e-10)) return 0.0;
    return std::max(0.0, -arma::dot(x, h.matrix * x + g) / arma::dot(x, x));
}

/** A feasible point of lower value, along the eigenvector u of least curvature. */
arma::vec escape(const arma::vec &x, const arma::vec &u, double radius) {
    const double along = arma::dot(u, x);
    const double norm = arma::norm(x);
    if (std::abs(along) > 1e-6 * radius) return x - (2.0 * along) * u;
    // u is orthogonal to x: leave along u itself, to the sphere from inside, along it from there.
    if (norm < radius * (1.0 - 1e-6)) return x + std::sqrt(radius * radius - norm * norm) * u;
    return project((x + (0.1 * radius) * u) * (radius / std::hypot(norm, 0.1 * radius)), radius);
}

}  // namespace

linalg::TrustRegionMinimum minimize_by_dca(const linalg::Spectrum &h, const arma::vec &g,
                                           double radius, Control &control) {
    linalg::TrustRegionMinimum minimum;
    minimum.x.zeros(g.n_elem);
    if (radius == 0.0) return minimum;
    const double scale = arma::abs(h.values).max();
    for (int restart = 0; restart < kMostRestarts; ++restart) {
        const arma::vec x = run_dca(h, g, radius, minimum.x, control);
        const double value = value_at(h, g, x);
        if (restart == 0 || value <= minimum.value) {
            minimum.x = x;
            minimum.value = value;
        }
        minimum.multiplier = multiplier_at(h, g, minimum.x, radius);
        if (h.values(0) + minimum.multiplier >= -1e-9 * scale || value > minimum.value) break;
        minimum.x = escape(minimum.x, h.vectors.col(0), radius);
    }
    // Any multiplier that makes H + lambda I positive definite gives a lower bound.
    const double lambda = std::max(minimum.multiplier, -h.values(0) + 1e-14 * scale);
    const arma::vec gamma = h.vectors.t() * g;
    minimum.lower = -0.5 * lambda * radius * radius;
    for (arma::uword i = 0; i < gamma.n_elem; ++i)
        if (gamma(i) != 0.0) minimum.lower -= 0.5 * gamma(i) * gamma(i) / (h.values(i) + lambda);
    minimum.lower =
        std::min(minimum.value, minimum.lower - linalg::trust_region_rounding(h, g, radius));
    return minimum;
}

}  // namespace dpadapt
