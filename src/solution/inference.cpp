#include "solution/inference.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace dpadapt {

namespace {

struct Term {
    double numerator;
    double denominator;
};

/** b + a_1/(b_1 + a_2/(b_2 + ..)) by Lentz's method; `term(k)` is a_k, b_k. */
double continued_fraction(double b, const auto &term) {
    constexpr double kTiny = 1e-300;
    constexpr int kMost = 10000;
    double value = b == 0.0 ? kTiny : b;
    double c = value;
    double d = 0.0;
    for (int k = 1; k < kMost; ++k) {
        const auto [numerator, denominator] = term(k);
        d = denominator + numerator * d;
        c = denominator + numerator / c;
        if (d == 0.0) d = kTiny;
        if (c == 0.0) c = kTiny;
        d = 1.0 / d;
        value *= c * d;
        if (std::abs(c * d - 1.0) < 1e-16) break;
    }
    return value;
}

/** The regularized incomplete beta function I_x(a, b), for x where its fraction is fast. */
double beta_below(double x, double a, double b) {
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                  a * std::log(x) + b * std::log1p(-x));
    return front / (a * continued_fraction(1.0, [&](int k) -> Term {
                        const int half = k / 2;
                        const double m = half;
                        const double next = a + 2.0 * m;
                        const double odd = -(a + m) * (a + b + m) * x / (next * (next + 1.0));
                        const double even = m * (b - m) * x / ((next - 1.0) * next);
                        return {k % 2 == 1 ? odd : even, 1.0};
                    }));
}

/** P(|T| <= t). */
double t_probability(double t, double freedom) {
    if (!(t > 0.0)) return 0.0;
    if (std::isinf(freedom)) return std::erf(t * (0.5 * std::numbers::sqrt2));
    const double square = t * t / freedom;
    const double inside = square / (1.0 + square);
    const double a = 0.5 * freedom;
    return inside < 1.5 / (a + 2.5) ? beta_below(inside, 0.5, a)
                                    : 1.0 - beta_below(1.0 / (1.0 + square), a, 0.5);
}

}  // namespace

const char *reason(NoInference why) {
    constexpr std::array kReasons{
        "",
        "the fit was made without: it had inference = no, or was saved by an earlier version",
        "the private fit released nothing that tells them: for a loss with one linear score that "
        "is not pinball option inference = yes makes that release, within the same budget",
        "they need a loss with one linear score",
        "they are not there for baselines",
        "there are more than 200 coefficients: option inference = yes makes them all the same",
        "the target has no more rows than coefficients",
        "the target's rows alone do not determine all coefficients",
        "they count records, and the target's rows belong to persons"};
    return kReasons.at(static_cast<std::size_t>(why));
}

double two_sided_t(double confidence, double freedom) {
    double high = 1.0;
    while (t_probability(high, freedom) < confidence && high < 1e12) high *= 2.0;
    return bisect(0.0, high, 80, [&](double t) { return t_probability(t, freedom) < confidence; })
        .second;
}

double chi_squared_tail(double x, double freedom) {
    // The regularized incomplete gamma function: a series for its lower part, a continued fraction
    // for its upper one.
    const double a = 0.5 * freedom;
    const double h = 0.5 * x;
    if (std::isnan(h)) return h;
    if (!(h > 0.0)) return 1.0;
    if (std::isinf(h)) return 0.0;
    constexpr int kTerms = 10000;
    constexpr double kSmall = 1e-16;
    const double front = std::exp(a * std::log(h) - h - std::lgamma(a));
    if (h < a + 1.0) {
        double term = 1.0 / a;
        double sum = term;
        for (int k = 1; k < kTerms && term > kSmall * sum; ++k) {
            term *= h / (a + k);
            sum += term;
        }
        return 1.0 - front * sum;
    }
    return front / continued_fraction(h + 1.0 - a, [&](int k) -> Term {
               return {-k * (k - a), h + 1.0 - a + 2.0 * k};
           });
}

std::vector<double> Inference::half_widths(double confidence) const {
    const double t = two_sided_t(confidence, freedom);
    const std::size_t p = estimate.size();
    std::vector<double> widths(p);
    for (std::size_t k = 0; k < p; ++k) widths[k] = t * std::sqrt(covariance[k * p + k]);
    return widths;
}

double Inference::p_value() const {
    return chi_squared_tail(difference, static_cast<double>(estimate.size()));
}

}  // namespace dpadapt
