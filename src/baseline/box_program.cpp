#include "baseline/box_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "baseline/cholesky.hpp"

namespace dpadapt::baseline {
namespace {

/** Distances to the four kinds of bounds, and their multipliers: the complementary pairs. */
struct Pairs {
    arma::vec low;
    arma::vec high;
    double least = 0.0;
    double most = 0.0;

    [[nodiscard]] double dot(const Pairs &other) const {
        return arma::dot(low, other.low) + arma::dot(high, other.high) + least * other.least +
               most * other.most;
    }
    void add(double step, const Pairs &direction) {
        low += step * direction.low;
        high += step * direction.high;
        least += step * direction.least;
        most += step * direction.most;
    }
    /** Largest t <= 1 for which this + t direction is nonnegative. */
    [[nodiscard]] double longest(const Pairs &direction) const {
        double t = 1.0;
        const auto limit = [&t](double value, double change) {
            if (change < 0.0) t = std::min(t, -value / change);
        };
        for (arma::uword i = 0; i < low.n_elem; ++i) {
            limit(low(i), direction.low(i));
            limit(high(i), direction.high(i));
        }
        limit(least, direction.least);
        limit(most, direction.most);
        return t;
    }
};

class BoxInterior {
  public:
    BoxInterior(const BandedBox &box, const arma::mat &k, const arma::vec &kappa,
                std::size_t threads, Control &control)
        : box_(box),
          k_(k),
          kappa_(kappa),
          threads_(threads),
          control_(control),
          fixed_(box.most - box.least < kNarrow * box.most) {}

    BoxMinimum operator()(const arma::vec &x, double gap) {
        start(x, gap);
        const double pairs = 2.0 * static_cast<double>(x.n_elem) + 2.0;
        std::size_t iteration = 0;
        for (; iteration < kMostIterations; ++iteration) {
            const double total = slack_.dot(price_);
            control_.report({"interior point", static_cast<std::int64_t>(iteration),
                             kMostIterations, std::numeric_limits<double>::quiet_NaN(), total});
            residual_ = k_ * slack_.low - kappa_ - price_.low + price_.high + nu();
            const double rest = 2.0 * box_.most * arma::norm(residual_, "inf");
            // Below a thousandth of the gap the rest is rounding.
            if (total <= (rest <= gap ? 1.0 : 1e-3) * gap || !factor()) break;
            const double mu = total / pairs;
            const Step affine = step({}, 0.0);
            Pairs slack = slack_;
            Pairs price = price_;
            const double along = longest(affine);
            slack.add(along, affine.slack);
            price.add(along, affine.price);
            const double centring = std::pow(slack.dot(price) / total, 3.0);
            const Step both = step(affine, centring * mu);
            constexpr double kInside = 0.995;
            const double t = kInside * longest(both);
            if (!(t > 1e-12)) break;
            slack_.add(t, both.slack);
            price_.add(t, both.price);
            free_nu_ += t * both.nu;
        }
        return {slack_.low, nu(), iteration};
    }

  private:
    static constexpr std::int64_t kMostIterations = 100;
    static constexpr double kNarrow = 1e-9;

    struct Step {
        Pairs slack;  ///< whose `low` is the step of x
        Pairs price;
        double nu = 0.0;
    };

    [[nodiscard]] double nu() const { return fixed_ ? free_nu_ : price_.most - price_.least; }

    [[nodiscard]] double longest(const Step &step) const {
        return std::min(slack_.longest(step.slack), price_.longest(step.price));
    }

    /** Multipliers that balance the gradient, but for what keeps them from 0. */
    void start(const arma::vec &x, double gap) {
        const double sum = arma::accu(x);
        slack_ = {x, box_.upper - x, sum - box_.least, box_.most - sum};
        const arma::vec g = k_ * x - kappa_;
        const double total = arma::dot(arma::abs(g), arma::min(slack_.low, slack_.high));
        const double mu = std::max(gap, total) / (2.0 * static_cast<double>(x.n_elem) + 2.0);
        const arma::vec zero(g.n_elem, arma::fill::zeros);
        price_.low = arma::max(g, zero) + mu / slack_.low;
        price_.high = arma::max(arma::vec(price_.low - g), mu / slack_.high);
        if (fixed_) slack_.least = slack_.most = 1.0;  // an equation has no pairs
        price_.least = fixed_ ? 0.0 : mu / slack_.least;
        price_.most = fixed_ ? 0.0 : mu / slack_.most;
    }

    bool factor() {
        factor_ = k_;
        factor_.diag() += price_.low / slack_.low + price_.high / slack_.high;
        if (!factor_cholesky(factor_, threads_)) return false;
        weight_ = price_.least / slack_.least + price_.most / slack_.most;
        ones_ = solve_cholesky(factor_, arma::vec(factor_.n_rows, arma::fill::ones));
        return true;
    }

    /** Newton direction towards slack % price = mu - (the products of the affine direction). */
    [[nodiscard]] Step step(const Step &affine, double mu) const {
        const bool plain = affine.slack.low.is_empty();
        const auto wanted = [&](const auto &s, const auto &p, const auto &ds, const auto &dp) {
            return plain ? arma::vec(-p % s) : arma::vec(mu - p % s - ds % dp);
        };
        const arma::vec low = wanted(slack_.low, price_.low, affine.slack.low, affine.price.low);
        const arma::vec high =
            wanted(slack_.high, price_.high, affine.slack.high, affine.price.high);
        const double least =
            mu - price_.least * slack_.least - affine.slack.least * affine.price.least;
        const double most = mu - price_.most * slack_.most - affine.slack.most * affine.price.most;
        const arma::vec b = -residual_ + low / slack_.low - high / slack_.high +
                            least / slack_.least - most / slack_.most;
        const arma::vec x = solve_cholesky(factor_, b);
        const double sum = fixed_ ? missing() : arma::accu(x) / (1.0 + weight_ * arma::accu(ones_));
        const double nu = fixed_ ? (arma::accu(x) - sum) / arma::accu(ones_) : weight_ * sum;
        Step result;
        result.nu = nu;
        result.slack.low = x - nu * ones_;
        result.slack.high = -result.slack.low;
        result.price.low = (low - price_.low % result.slack.low) / slack_.low;
        result.price.high = (high - price_.high % result.slack.high) / slack_.high;
        if (fixed_) return result;
        result.slack.least = sum;
        result.slack.most = -sum;
        result.price.least = (least - price_.least * sum) / slack_.least;
        result.price.most = (most + price_.most * sum) / slack_.most;
        return result;
    }

    /** What rounding has taken from a fixed sum. */
    [[nodiscard]] double missing() const {
        return 0.5 * (box_.least + box_.most) - arma::accu(slack_.low);
    }

    const BandedBox &box_;
    const arma::mat &k_;
    const arma::vec &kappa_;
    std::size_t threads_;
    Control &control_;
    bool fixed_;  ///< whether the band is so narrow that the sum is an equation
    double free_nu_ = 0.0;
    Pairs slack_;  ///< whose `low` is x
    Pairs price_;
    arma::vec residual_;
    arma::mat factor_;  ///< Cholesky factor of K + diagonal
    arma::vec ones_;    ///< its inverse times 1
    double weight_ = 0.0;
};

}  // namespace

BoxMinimum minimize_quadratic(const BandedBox &box, const arma::mat &k, const arma::vec &kappa,
                              const arma::vec &x, double gap, std::size_t threads,
                              Control &control) {
    return BoxInterior(box, k, kappa, threads, control)(x, gap);
}

}  // namespace dpadapt::baseline
