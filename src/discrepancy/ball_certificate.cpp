#include "discrepancy/ball_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace dpadapt {
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
