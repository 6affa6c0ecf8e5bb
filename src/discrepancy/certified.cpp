#include "discrepancy/certified.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "discrepancy/ball_maximum.hpp"
#include "discrepancy/estimate.hpp"

namespace dpadapt {

namespace {

/** The middle of the proven bounds of sup |q|, or of sup q and 0, if it is within tau/2 of both. */
template <typename Real>
std::optional<double> proven_value(const LossDifference &difference, double radius, double tau,
                                   DiscrepancySide side, BallMaximum<Real> most,
                                   BallMaximum<Real> least) {
    const Interval<Real> up = certify_maximum(difference, 1.0, radius, std::move(most));
    const Interval<Real> down = side == DiscrepancySide::both
                                    ? certify_maximum(difference, -1.0, radius, std::move(least))
                                    : Interval<Real>{};
    for (const Interval<Real> &part : {up, down})
        if (!std::isfinite(static_cast<double>(part.upper - part.lower))) return std::nullopt;
    const Real lower = std::max({up.lower, down.lower, Real(0.0)});
    const Real upper = std::max(up.upper, down.upper);
    const auto value = static_cast<double>((lower + upper) * 0.5);
    const double error = std::max(static_cast<double>(upper - Real(value)),
                                  static_cast<double>(Real(value) - lower));
    if (!(2.0 * error * (1.0 + 0x1p-50) <= tau)) return std::nullopt;
    return value;
}

std::optional<double> in_double(const LossDifference &difference, double radius, double tau,
                                DiscrepancySide side) {
    const auto found = [](const linalg::TrustRegionMinimum &minimum) {
        // There, the quadratic has a factor 1/2, and twice the multiplier.
        return BallMaximum<double>{{minimum.x.begin(), minimum.x.end()}, 0.5 * minimum.multiplier};
    };
    try {
        const Extremes extremes =
            find_extremes(difference, [&](const linalg::Spectrum &h, const arma::vec &g) {
                return linalg::minimize_in_ball(h, g, radius);
            });
        return proven_value(difference, radius, tau, side, found(extremes.most),
                            found(extremes.least));
    } catch (const Error &) {  // of LAPACK, which depends on the data
        return std::nullopt;
    }
}

std::optional<double> in_double_double(const LossDifference &difference, double radius, double tau,
                                       DiscrepancySide side) {
    const Eigenbasis basis = decompose_by_jacobi(difference.second);
    return proven_value(difference, radius, tau, side,
                        maximize_in_ball(basis, difference.slope, 1.0, radius),
                        maximize_in_ball(basis, difference.slope, -1.0, radius));
}

}  // namespace

double certified_discrepancy(const LossDifference &difference, double radius, double tau,
                             DiscrepancySide side) {
    // One triangle is the matrix: that of a public sample need not be symmetric to the last bit.
    const LossDifference q{arma::symmatl(difference.second), difference.slope, difference.constant};
    if (q.second.is_finite() && q.slope.is_finite() && std::isfinite(q.constant)) {
        if (radius == 0.0) return counted(side, q.constant);
        if (const auto value = in_double(q, radius, tau, side)) return *value;
        if (const auto value = in_double_double(q, radius, tau, side)) return *value;
    }
    throw Error(DPA_E_INTERNAL, "the private discrepancy could not be certified");
}

double certified_unlabelled_discrepancy(const arma::mat &second, double radius, double tau,
                                        DiscrepancySide side) {
    const arma::vec zeros(second.n_rows, arma::fill::zeros);
    return certified_discrepancy({second, zeros, 0.0}, 2.0 * radius, tau, side);
}

double proven_rounding(std::size_t dimension, double bound) {
    const auto size = static_cast<double>(dimension + 5);
    return 0x1p-46 * size * size * bound;
}

double loss_size(const Moments &moments, double reach) {
    return reach * (reach * arma::norm(moments.second, "fro") + 2.0 * arma::norm(moments.cross)) +
           std::abs(moments.label);
}

Moments to_moments(const sums::MomentMeans &means) {
    const arma::uword d = means.cross.size();
    return {arma::mat(means.second.data(), d, d), arma::vec(means.cross), means.label};
}

}  // namespace dpadapt
