#include "discrepancy/ball_maximum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

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

namespace {

/** Relative error of one operation. */
template <typename Real>
constexpr double kRoundoff = 0x1p-53;
template <>
constexpr double kRoundoff<DoubleDouble> = 0x1p-102;

constexpr double kTiny = 0x1p-490;  // added to a norm, exceeds all that underflow can hide

/** Whether H is positive definite up to an error of 2 (d + 3) roundoff trace(H): then Cholesky's
 *  method runs to completion (Demmel; Higham, Accuracy and Stability, 2002, theorem 10.5). H is
 *  given by columns and overwritten. */
template <typename Real>
bool cholesky_completes(std::vector<Real> &h, std::size_t d) {
    using std::sqrt;
    for (std::size_t j = 0; j < d; ++j) {
        Real *column = h.data() + j * d;
        if (!(column[j] > Real(0.0))) return false;
        const Real pivot = sqrt(column[j]);
        for (std::size_t i = j; i < d; ++i) column[i] = column[i] / pivot;
        for (std::size_t k = j + 1; k < d; ++k) {
            Real *later = h.data() + k * d;
            const Real factor = column[k];
            for (std::size_t i = k; i < d; ++i) later[i] -= column[i] * factor;
        }
    }
    return true;
}

/** Bounds of the maximum of q(x) = x'Ax + 2 b.x + c over the ball, where A, b and c are those of
 *  the difference times `sign`, from an approximate solution. All bounds on rounding errors carry a
 *  factor of two, which pays for the rounding in the bounds themselves. */
template <typename Real>
class Certifier {
  public:
    Certifier(const LossDifference &difference, double sign, double radius)
        : a_(difference.second),
          b_(difference.slope),
          c_(difference.constant),
          sign_(sign),
          radius_(radius),
          d_(b_.n_elem),
          norm_(arma::norm(a_, "fro") + kTiny),
          size_(radius * (radius * norm_ + 2.0 * (arma::norm(b_) + kTiny)) + std::abs(c_) + kTiny) {
    }

    /** For all x in the ball and any y, lambda >= 0 and r = b + Ay - lambda y,
     *      q(x) = q(y) + 2 r.(x - y) + lambda (x.x - y.y) - (x - y)'(lambda I - A)(x - y);
     *  so q(y) <= max q <= q(y) + 4 radius ||r|| + lambda (radius^2 - y.y) + 4 radius^2 eta for y
     *  in the ball, when A <= (lambda + eta) I. */
    [[nodiscard]] Interval<Real> bounds(BallMaximum<Real> found) const {
        using std::sqrt;
        std::vector<Real> &y = found.x;
        put_into_ball(y);
        const Real lambda = std::max(found.multiplier, Real(0.0));
        Real value = sign_ * c_;
        Real norm = 0.0;
        Real residual = 0.0;
        for (std::size_t i = 0; i < d_; ++i) {
            Real slope = sign_ * b_(i);
            for (std::size_t k = 0; k < d_; ++k) slope += Real(sign_ * a_(k, i)) * y[k];
            value += y[i] * (slope + sign_ * b_(i));
            norm += y[i] * y[i];
            const Real r = slope - lambda * y[i];
            residual += r * r;
        }
        const Real square = Real(radius_) * radius_;
        const Real short_of_sphere = std::max(square - norm, Real(0.0));
        const Real excess = std::max(bound_of_spectrum(lambda) - lambda, Real(0.0));
        const Real gap = Real(4.0 * radius_) * sqrt(residual) + lambda * short_of_sphere +
                         Real(4.0) * square * excess;
        // Roundings, to first order: d + 3 in each component of the residual, weighted by 4; its
        // norm d/2 + 2, also weighted by 4; 2d + 5 in the value, d + 4 in the distance to the
        // sphere, 2 in the bound of the spectrum, weighted by 4; 8 in the sum. Together 9d + 45.
        const double magnitude = size_ + static_cast<double>(lambda * square);
        const Real error = 24.0 * static_cast<double>(d_ + 5) * kRoundoff<Real> * magnitude;
        return {value - error, value + gap + error};
    }

  private:
    /** Scales y so that its exact norm is at most the radius. */
    void put_into_ball(std::vector<Real> &y) const {
        using std::sqrt;
        Real square = 0.0;
        for (const Real &v : y) square += v * v;
        const Real most =
            Real(radius_) * (Real(1.0) - static_cast<double>(d_ + 8) * kRoundoff<Real>);
        const Real norm = sqrt(square);
        if (!(norm > most)) return;
        for (Real &v : y) v *= most / norm;
    }

    /** A number mu >= lambda_max(A), proven up to the rounding of mu itself, and near lambda if
     *  lambda is near lambda_max(A) or above. Infinite (or NaN) if there is no proof. */
    [[nodiscard]] Real bound_of_spectrum(const Real &lambda) const {
        constexpr int kMostAttempts = 8;
        const double unit = 2.0 * static_cast<double>(d_ + 3) * kRoundoff<Real>;
        const auto count = static_cast<double>(d_);
        const double trace =
            std::max(0.0, count * static_cast<double>(lambda) - sign_ * arma::trace(a_));
        double shift = unit * (trace + static_cast<double>(lambda) + norm_);
        std::vector<Real> h(d_ * d_);
        for (int attempt = 0; attempt < kMostAttempts; ++attempt, shift *= 4.0) {
            const Real mu = lambda + shift;
            Real diagonal = 0.0;
            for (std::size_t j = 0; j < d_; ++j) {
                for (std::size_t i = j; i < d_; ++i) h[j * d_ + i] = -sign_ * a_(i, j);
                h[j * d_ + j] += mu;
                diagonal += h[j * d_ + j];
            }
            if (cholesky_completes(h, d_))
                return mu + unit * (static_cast<double>(diagonal) + kTiny);
        }
        return std::numeric_limits<double>::infinity();
    }

    const arma::mat &a_;
    const arma::vec &b_;
    double c_;
    double sign_;
    double radius_;
    std::size_t d_;
    double norm_;
    double size_;  ///< bounds |q| on the ball
};

}  // namespace

template <typename Real>
Interval<Real> certify_maximum(const LossDifference &difference, double sign, double radius,
                               BallMaximum<Real> found) {
    return Certifier<Real>(difference, sign, radius).bounds(std::move(found));
}

template Interval<double> certify_maximum(const LossDifference &, double, double,
                                          BallMaximum<double>);
template Interval<DoubleDouble> certify_maximum(const LossDifference &, double, double,
                                                BallMaximum<DoubleDouble>);

}  // namespace dpadapt
