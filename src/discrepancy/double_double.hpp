#pragma once

#include <cmath>

namespace dpadapt {

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
