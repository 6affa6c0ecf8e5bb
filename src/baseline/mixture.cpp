#include "baseline/mixture.hpp"

#include <algorithm>
#include <cmath>

#include "baseline/box_program.hpp"

namespace dpadapt::baseline {
namespace {

constexpr std::int64_t kFirst = 50;  // steps of expectation maximization, which get near

class Likelihood {
  public:
    Likelihood(const arma::mat &p, const arma::vec &weight) : p_(p), weight_(weight) {}

    [[nodiscard]] double value(const arma::vec &shares) const {
        return arma::dot(weight_, arma::log(p_ * shares));
    }

    [[nodiscard]] arma::vec slopes(const arma::vec &shares) const {
        return p_.t() * (weight_ / (p_ * shares));
    }

    /** Towards the minimum of the quadratic model of sum shares - value, which is least where the
     *  sum is 1. */
    [[nodiscard]] arma::vec newton(const arma::vec &shares, double gap, Control &control) const {
        const arma::vec density = p_ * shares;
        const arma::mat scaled = p_.each_col() % (arma::sqrt(weight_) / density);
        const arma::mat curvature = scaled.t() * scaled;
        // The slopes are curvature * shares, so the linear term of the model is 2 slopes - 1.
        const arma::vec linear = 2.0 * slopes(shares) - 1.0;
        const auto parts = static_cast<double>(shares.n_elem);
        const BandedBox box{arma::vec(shares.n_elem, arma::fill::value(2.0)), 0.0, 2.0 * parts};
        arma::vec x = shares;
        if (!move_inside(box, x)) return shares;
        return minimize_quadratic(box, curvature, linear, x, gap, 1, control).x;
    }

    /** The first of shares + t (other - shares), t = 1, 1/2, .., that is better after scaling to
     *  sum 1. */
    [[nodiscard]] arma::vec search(const arma::vec &shares, const arma::vec &other) const {
        const double before = value(shares);
        constexpr int kHalvings = 30;
        for (int halving = 0; halving < kHalvings; ++halving) {
            const double t = std::ldexp(1.0, -halving);
            const arma::vec next = shares + t * (other - shares);
            const double sum = arma::accu(next);
            if (sum > 0.0 && value(next / sum) > before) return next / sum;
        }
        return shares;
    }

  private:
    const arma::mat &p_;
    const arma::vec &weight_;
};

}  // namespace

Mixture maximize_likelihood(const arma::mat &p, const arma::vec &weight, const Limits &limits,
                            Control &control) {
    const Likelihood likelihood(p, weight);
    Mixture mixture;
    mixture.shares = arma::vec(p.n_cols, arma::fill::value(1.0 / static_cast<double>(p.n_cols)));
    const auto limit = static_cast<std::int64_t>(limits.iterations > 0 ? limits.iterations : 1000);
    for (;; ++mixture.iterations) {
        const arma::vec slopes = likelihood.slopes(mixture.shares);
        mixture.value = likelihood.value(mixture.shares);
        mixture.gap = std::max(0.0, arma::max(slopes) - 1.0);
        control.report({"likelihood", mixture.iterations, limit, mixture.value, mixture.gap});
        if (mixture.gap <= limits.tolerance) break;
        if (mixture.iterations >= limit) {
            mixture.termination = Termination::iterations;
            break;
        }
        if (mixture.iterations < kFirst) {
            mixture.shares %= slopes;
            mixture.shares /= arma::accu(mixture.shares);
            continue;
        }
        constexpr double kInexact = 1e-3;
        const arma::vec other = likelihood.newton(mixture.shares, kInexact * mixture.gap, control);
        const arma::vec next = likelihood.search(mixture.shares, other);
        if (arma::approx_equal(next, mixture.shares, "absdiff", 0.0)) {
            mixture.termination = Termination::precision;
            break;
        }
        mixture.shares = next;
    }
    return mixture;
}

}  // namespace dpadapt::baseline
