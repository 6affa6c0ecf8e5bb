#include "discrepancy/ball_maximum.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt {
namespace {

using Real = DoubleDouble;
using Reals = std::vector<Real>;

Real absolute(const Real &a) { return a < 0.0 ? -a : a; }

struct Rotation {
    Real cosine;
    Real sine;

    /** Makes the off-diagonal element of [pp, pq; pq, qq] vanish by the smaller angle. */
    Rotation(const Real &pp, const Real &pq, const Real &qq) {
        const Real theta = (qq - pp) / (pq + pq);
        const Real tangent = Real(1.0) / (absolute(theta) + sqrt(theta * theta + 1.0));
        cosine = Real(1.0) / sqrt(tangent * tangent + 1.0);
        sine = theta < 0.0 ? -tangent * cosine : tangent * cosine;
    }

    void apply(Real &p, Real &q) const {
        const Real moved = cosine * p - sine * q;
        q = sine * p + cosine * q;
        p = moved;
    }
};

/** c_i = g_i / (gap_i + sigma), where 0/0 is 0; returns ||c||^2. */
Real coordinates_at(const Reals &gap, const Reals &g, const Real &sigma, Reals &c) {
    Real square = 0.0;
    for (std::size_t i = 0; i < c.size(); ++i) {
        c[i] = static_cast<double>(g[i]) == 0.0 ? Real(0.0) : g[i] / (gap[i] + sigma);
        square += c[i] * c[i];
    }
    return square;
}

/** The smallest sigma >= left, up to the last bit, with ||c(sigma)|| <= radius. */
Real secular_root(const Reals &gap, const Reals &g, const Real &boundary, const Real &square,
                  double radius) {
    constexpr int kMostSteps = 1500;
    Reals c(gap.size());
    Real left = boundary;
    Real right = boundary;
    for (const Real &gamma : g) right += absolute(gamma) / radius;
    for (int step = 0; step < kMostSteps; ++step) {
        const Real middle = (left + right) * 0.5;
        if (!(left < middle && middle < right)) break;
        (coordinates_at(gap, g, middle, c) > square ? left : right) = middle;
    }
    return right;
}

/** Maximum of sum e_i c_i^2 + 2 sum g_i c_i over ||c|| <= radius; multiplier = e_max + sigma. */
BallMaximum<Real> maximize_secular(const Reals &values, const Reals &g, double radius) {
    const auto top = std::max_element(values.begin(), values.end());
    Reals gap(values.size());
    for (std::size_t i = 0; i < gap.size(); ++i) gap[i] = *top - values[i];
    const Real square = Real(radius) * radius;
    BallMaximum<Real> maximum{Reals(gap.size()), 0.0};

    Real sigma = *top < 0.0 ? -*top : 0.0;
    const Real norm = coordinates_at(gap, g, sigma, maximum.x);
    if (!(norm < square)) {
        sigma = secular_root(gap, g, sigma, square, radius);
        coordinates_at(gap, g, sigma, maximum.x);
    } else if (*top > 0.0) {
        // Hard case: the top eigenvector carries the rest of the way to the sphere.
        maximum.x[static_cast<std::size_t>(top - values.begin())] += sqrt(square - norm);
    }
    maximum.multiplier = *top + sigma;
    return maximum;
}

}  // namespace

Eigenbasis decompose_by_jacobi(const arma::mat &symmetric) {
    constexpr int kMostSweeps = 40;
    const std::size_t d = symmetric.n_rows;
    const double negligible = 0x1p-108 * arma::norm(symmetric, "fro");
    Reals a(symmetric.begin(), symmetric.end());
    Eigenbasis basis{Reals(d), Reals(d * d)};
    for (std::size_t i = 0; i < d; ++i) basis.vectors[i * d + i] = 1.0;

    bool rotated = true;
    for (int sweep = 0; rotated && sweep < kMostSweeps; ++sweep) {
        rotated = false;
        for (std::size_t q = 1; q < d; ++q) {
            for (std::size_t p = 0; p < q; ++p) {
                if (std::abs(static_cast<double>(a[q * d + p])) <= negligible) continue;
                rotated = true;
                const Rotation rotation(a[p * d + p], a[q * d + p], a[q * d + q]);
                for (std::size_t k = 0; k < d; ++k) rotation.apply(a[p * d + k], a[q * d + k]);
                for (std::size_t k = 0; k < d; ++k) rotation.apply(a[k * d + p], a[k * d + q]);
                for (std::size_t k = 0; k < d; ++k)
                    rotation.apply(basis.vectors[p * d + k], basis.vectors[q * d + k]);
            }
        }
    }
    for (std::size_t i = 0; i < d; ++i) basis.values[i] = a[i * d + i];
    return basis;
}

BallMaximum<DoubleDouble> maximize_in_ball(const Eigenbasis &basis, const arma::vec &b, double sign,
                                           double radius) {
    const std::size_t d = b.n_elem;
    Reals values = basis.values;
    Reals g(d);
    for (std::size_t i = 0; i < d; ++i) {
        values[i] *= sign;
        for (std::size_t k = 0; k < d; ++k) g[i] += basis.vectors[i * d + k] * (sign * b(k));
    }
    const BallMaximum<Real> secular = maximize_secular(values, g, radius);
    BallMaximum<Real> maximum{Reals(d), secular.multiplier};
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t k = 0; k < d; ++k) maximum.x[k] += basis.vectors[i * d + k] * secular.x[i];
    return maximum;
}

}  // namespace dpadapt
