#include "baseline/box_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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
            control_.report({"interior point", iteration, kMostIterations,
                             std::numeric_limits<double>::quiet_NaN(), total});
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
        // What rounding has taken from a fixed sum.
        const double missing = 0.5 * (box_.least + box_.most) - arma::accu(slack_.low);
        const double sum = fixed_ ? missing : arma::accu(x) / (1.0 + weight_ * arma::accu(ones_));
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

LinearMinimum minimize_linear(const BandedBox &box, const arma::vec &g) {
    LinearMinimum minimum{arma::vec(g.n_elem, arma::fill::zeros)};
    double sum = 0.0;
    for (const arma::uword i : arma::uvec(arma::stable_sort_index(g))) {
        const double room = (g(i) < 0.0 ? box.most : box.least) - sum;
        if (room <= 0.0) break;
        minimum.v(i) = std::min(box.upper(i), room);
        sum += minimum.v(i);
        if (box.upper(i) >= room) minimum.nu = -g(i);
    }
    return minimum;
}

bool move_inside(const BandedBox &box, arma::vec &x) {
    constexpr double kInside = 1e-3;
    const double width = box.most - box.least;
    const double total = arma::accu(box.upper);
    const double room = std::min(box.most, total - box.least);
    if (!(room > 0.0)) return false;
    const arma::vec least = kInside * std::min(1.0, room / total) * box.upper;
    const double low = std::max(box.least + kInside * width, arma::accu(least));
    const double high = std::min(box.most - kInside * width, arma::accu(box.upper - least));
    if (low > high) return false;
    const auto shifted = [&](double t) -> arma::vec {
        return arma::max(least, arma::min(x + t, box.upper - least));
    };
    const double sum = arma::accu(shifted(0.0));
    double shift = 0.0;
    if (sum < low || sum > high) {
        const double wanted = sum < low ? low : high;
        double from = -arma::max(box.upper);
        double to = -from;
        for (int bisection = 0; bisection < 100; ++bisection) {
            shift = 0.5 * (from + to);
            (arma::accu(shifted(shift)) < wanted ? from : to) = shift;
        }
    }
    x = shifted(shift);
    return true;
}

namespace {

enum class BoundState : signed char { low, inside, high };

class ActiveSet {
  public:
    ActiveSet(const BandedBox &box, const arma::mat &k, const arma::vec &kappa,
              const ProximalStart &start, std::size_t threads)
        : box_(box),
          k_(k),
          linear_(kappa + start.ridge * start.x),
          ridge_(start.ridge),
          slope_(start.slope),
          threads_(threads),
          fixed_(!(box.most - box.least > kNarrow * box.most)),
          x_(start.x),
          nu_(start.nu),
          states_(start.x.n_elem, BoundState::inside) {
        for (arma::uword i = 0; i < x_.n_elem; ++i) {
            if (x_(i) <= 0.0) states_[i] = BoundState::low;
            if (x_(i) >= box.upper(i)) states_[i] = BoundState::high;
        }
        if (fixed_ || nu_ != 0.0) sum_ = nu_ < 0.0 ? box.least : box.most;
        (void)exchange();
    }

    /** Whether the system of those inside could be solved. */
    [[nodiscard]] bool solve() {
        const arma::uvec inside = places(BoundState::inside);
        const arma::uvec high = places(BoundState::high);
        x_.zeros();
        x_.elem(high) = box_.upper.elem(high);
        const double held = arma::accu(x_);
        nu_ = 0.0;
        if (inside.is_empty()) return !sum_;
        arma::mat factor = k_.submat(inside, inside);
        factor.diag() += ridge_;
        if (!factor_cholesky(factor, threads_)) return false;
        arma::vec right = linear_.elem(inside);
        if (!high.is_empty()) right -= k_.submat(inside, high) * x_.elem(high);
        arma::vec solution = solve_cholesky(factor, right);
        if (sum_) {
            const arma::vec ones =
                solve_cholesky(factor, arma::vec(inside.n_elem, arma::fill::ones));
            nu_ = (arma::accu(solution) + held - *sum_) / arma::accu(ones);
            solution -= nu_ * ones;
        }
        x_.elem(inside) = solution;
        return solution.is_finite();
    }

    /** Moves every coordinate, and the sum, to where the conditions of optimality want it; whether
     *  one moved. */
    [[nodiscard]] bool exchange() {
        const arma::uvec used = arma::find(x_ != 0.0);
        const arma::vec slopes = k_.cols(used) * x_.elem(used) + ridge_ * x_ - linear_ + nu_;
        bool moved = false;
        for (arma::uword i = 0; i < x_.n_elem; ++i) {
            const BoundState before = states_[i];
            if (before == BoundState::inside) {
                if (x_(i) < 0.0) states_[i] = BoundState::low;
                if (x_(i) > box_.upper(i)) states_[i] = BoundState::high;
            } else if (before == BoundState::low ? slopes(i) < -slope_ : slopes(i) > slope_) {
                states_[i] = BoundState::inside;
            }
            moved = moved || states_[i] != before;
        }
        return exchange_sum() || moved;
    }

    [[nodiscard]] const arma::vec &x() const { return x_; }
    [[nodiscard]] double nu() const { return nu_; }

  private:
    static constexpr double kNarrow = 1e-9;

    [[nodiscard]] bool exchange_sum() {
        if (fixed_) return false;
        const std::optional<double> before = sum_;
        const double sum = arma::accu(x_);
        if (!before && sum > box_.most) sum_ = box_.most;
        if (!before && sum < box_.least) sum_ = box_.least;
        if (before == box_.most ? nu_ < 0.0 : nu_ > 0.0) sum_.reset();
        return sum_ != before;
    }

    [[nodiscard]] arma::uvec places(BoundState place) const {
        std::vector<arma::uword> found;
        for (arma::uword i = 0; i < states_.size(); ++i)
            if (states_[i] == place) found.push_back(i);
        return arma::uvec(found);
    }

    const BandedBox &box_;
    const arma::mat &k_;
    arma::vec linear_;
    double ridge_;
    double slope_;
    std::size_t threads_;
    bool fixed_;  ///< whether the band is so narrow that the sum is an equation
    arma::vec x_;
    double nu_;
    std::vector<BoundState> states_;
    std::optional<double> sum_;  ///< the bound of the sum that holds it
};

}  // namespace

BoxMinimum minimize_active_set(const BandedBox &box, const arma::mat &k, const arma::vec &kappa,
                               const ProximalStart &start, Progress &progress, std::size_t threads,
                               Control &control) {
    ActiveSet set(box, k, kappa, start, threads);
    for (std::int64_t step = 0; step < start.steps; ++step) {
        ++progress.iteration;
        control.report(progress);
        if (!set.solve()) return {};
        if (!set.exchange()) return {set.x(), set.nu(), static_cast<std::size_t>(step) + 1};
    }
    return {};
}

}  // namespace dpadapt::baseline
