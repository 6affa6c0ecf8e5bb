#include "baseline/active_set.hpp"

#include <optional>

#include "baseline/cholesky.hpp"

namespace dpadapt::baseline {
namespace {

enum class Place : signed char { low, inside, high };

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
          place_(start.x.n_elem, Place::inside) {
        for (arma::uword i = 0; i < x_.n_elem; ++i) {
            if (x_(i) <= 0.0) place_[i] = Place::low;
            if (x_(i) >= box.upper(i)) place_[i] = Place::high;
        }
        if (fixed_ || nu_ != 0.0) sum_ = nu_ < 0.0 ? box.least : box.most;
        (void)exchange();
    }

    /** Whether the system of those inside could be solved. */
    [[nodiscard]] bool solve() {
        const arma::uvec inside = places(Place::inside);
        const arma::uvec high = places(Place::high);
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
            const Place before = place_[i];
            if (before == Place::inside) {
                if (x_(i) < 0.0) place_[i] = Place::low;
                if (x_(i) > box_.upper(i)) place_[i] = Place::high;
            } else if (before == Place::low ? slopes(i) < -slope_ : slopes(i) > slope_) {
                place_[i] = Place::inside;
            }
            moved = moved || place_[i] != before;
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

    [[nodiscard]] arma::uvec places(Place place) const {
        std::vector<arma::uword> found;
        for (arma::uword i = 0; i < place_.size(); ++i)
            if (place_[i] == place) found.push_back(i);
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
    std::vector<Place> place_;
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
