#pragma once

#include <cmath>

#include "discrepancy/estimate.hpp"
#include "problem/settings.hpp"
#include "sums/moment_sum.hpp"

namespace dpadapt {

/** The discrepancy with a proof of its error, for a release of sensitivity B/n + 2 tau.
 *
 *  Why that sensitivity: for every predictor of the ball the mean loss over n private records, each
 *  in [0, B], moves by at most B/n when one record is replaced; so do the difference to the other
 *  domain's mean loss, its absolute value or its larger one of itself and 0, and the supremum D of
 *  these. A value v with |v - D| <= tau for all data then
 *  moves by at most B/n + 2 tau. Only a certified global maximum has this property; a local one may
 *  jump.
 *
 *  The error has two parts of at most tau/2 each. The functions below prove |v - D'| <= tau/2 for
 *  the supremum D' of the difference as given, its doubles taken as exact. And |D' - D| <= tau/2
 *  for the exact moments, whenever tau >= proven_rounding(): what sums::MomentSum::means() and
 *  loss_difference() round is bounded by public numbers. (The public sample's moments are
 *  constants, so their own rounding is none of this.) The release takes the exact quotient of v,
 *  see privacy::release_number.
 *
 *  Nothing but v may leave: neither the achieved error nor the level of precision that it took.
 *  Throws Error(DPA_E_INTERNAL), without any number, if no level reaches tau/2. */
[[nodiscard]] double certified_discrepancy(const LossDifference &difference, double radius,
                                           double tau,
                                           DiscrepancySide side = DiscrepancySide::both);

/** The same for sup over w, w' in the ball of the difference of the means of (w.z - w'.z)^2, which
 *  is 4 radius^2 ||A||_2, the supremum of |x'Ax| over a ball of twice the radius. */
[[nodiscard]] double certified_unlabelled_discrepancy(const arma::mat &second, double radius,
                                                      double tau,
                                                      DiscrepancySide side = DiscrepancySide::both);

/** The least tau that a plan may accept: 2^-46 (d + 5)^2 bound. It covers all rounding above in
 *  double precision, given an eigendecomposition with backward error 2 (d + 3) 2^-53 ||A||_F (if
 *  LAPACK should miss that, the second level of precision is there).
 *
 *  `bound` is public: reach^2 ||second||_F + 2 reach ||cross|| + label is at most `bound` for the
 *  moments of each of the two samples, reach = ||center|| + radius (unlabelled: 2 radius). Records
 *  with ||z|| <= R, |y| <= Y satisfy this with B = (reach R + Y)^2 (unlabelled: B = (reach R)^2);
 *  for a public sample that is not clipped so, take the larger of B and loss_size(). */
[[nodiscard]] double proven_rounding(std::size_t dimension, double bound);

/** reach^2 ||second||_F + 2 reach ||cross|| + |label|, which bounds the loss within reach. */
[[nodiscard]] double loss_size(const Moments &moments, double reach);

[[nodiscard]] Moments to_moments(const sums::MomentMeans &means);

/** Double-word arithmetic: high + low, about 106 bits, on every platform.
 *
 *  Algorithms 6, 12 and 17 of Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic
 *  building blocks of double-word arithmetic" (ACM TOMS 44(2), 2017), and the square root of
 *  Lefevre et al. (ACM TOMS 49(1), 2023). The relative errors are at most 3, 5, 16 and 25/8 times
 *  2^-106, so every operation here has a relative error of at most 2^-102. */
class DoubleDouble {
  public:
    DoubleDouble() = default;
    DoubleDouble(double value) : high_(value) {}  // implicit: a double is one of these

    explicit operator double() const { return high_; }

    friend DoubleDouble operator-(const DoubleDouble &a) { return {-a.high_, -a.low_}; }

    friend DoubleDouble operator+(const DoubleDouble &a, const DoubleDouble &b) {
        const DoubleDouble s = two_sum(a.high_, b.high_);
        const DoubleDouble t = two_sum(a.low_, b.low_);
        const DoubleDouble v = fast_two_sum(s.high_, s.low_ + t.high_);
        return fast_two_sum(v.high_, t.low_ + v.low_);
    }

    friend DoubleDouble operator-(const DoubleDouble &a, const DoubleDouble &b) { return a + -b; }

    friend DoubleDouble operator*(const DoubleDouble &a, const DoubleDouble &b) {
        const DoubleDouble c = two_product(a.high_, b.high_);
        const double cross = std::fma(a.high_, b.low_, a.low_ * b.low_);
        return fast_two_sum(c.high_, c.low_ + std::fma(a.low_, b.high_, cross));
    }

    friend DoubleDouble operator/(const DoubleDouble &a, const DoubleDouble &b) {
        const double quotient = a.high_ / b.high_;
        const DoubleDouble r = times(b, quotient);
        const double rest = (a.high_ - r.high_) + (a.low_ - r.low_);
        return fast_two_sum(quotient, rest / b.high_);
    }

    friend DoubleDouble sqrt(const DoubleDouble &a) {
        if (a.high_ == 0.0) return a;
        const double root = std::sqrt(a.high_);
        const double rest = a.low_ + std::fma(-root, root, a.high_);
        return fast_two_sum(root, rest / (2.0 * root));
    }

    DoubleDouble &operator+=(const DoubleDouble &other) { return *this = *this + other; }
    DoubleDouble &operator-=(const DoubleDouble &other) { return *this = *this - other; }
    DoubleDouble &operator*=(const DoubleDouble &other) { return *this = *this * other; }

    friend bool operator<(const DoubleDouble &a, const DoubleDouble &b) {
        return a.high_ < b.high_ || (a.high_ == b.high_ && a.low_ < b.low_);
    }
    friend bool operator>(const DoubleDouble &a, const DoubleDouble &b) { return b < a; }

  private:
    DoubleDouble(double high, double low) : high_(high), low_(low) {}

    static DoubleDouble fast_two_sum(double a, double b) {
        const double sum = a + b;
        return {sum, b - (sum - a)};
    }
    static DoubleDouble two_sum(double a, double b) {
        const double sum = a + b;
        const double shadow = sum - a;
        return {sum, (a - (sum - shadow)) + (b - shadow)};
    }
    static DoubleDouble two_product(double a, double b) {
        const double product = a * b;
        return {product, std::fma(a, b, -product)};
    }
    static DoubleDouble times(const DoubleDouble &a, double b) {
        const DoubleDouble c = two_product(a.high_, b);
        const DoubleDouble t = fast_two_sum(c.high_, a.low_ * b);
        return fast_two_sum(t.high_, t.low_ + c.low_);
    }

    double high_ = 0.0;
    double low_ = 0.0;
};

}  // namespace dpadapt
