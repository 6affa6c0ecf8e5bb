#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dpadapt::privacy {

/** Totals of composed releases: Laplace by the sum of their epsilons, Gaussian by the root of the
 *  summed squares of sensitivity/sigma, any other pure ones by the sum of their epsilons.
 *  Two Laplace releases are dominated by one with the sum of their epsilons. */
struct Totals {
    double laplace_epsilon = 0.0;
    double mu = 0.0;
    double pure_epsilon = 0.0;
    double failure = 0.0;  ///< probability with which nothing is promised, of sampled releases
};

/** Smaller positive mu are counted as this one: the closed form divides by mu, and its rounding
 *  errors grow with 1/mu. */
constexpr double kLeastMu = 1e-8;

/** Smallest delta for which the releases are (epsilon, delta)-differentially private, rounded up,
 *  for any finite epsilon; 0 only where it is exactly that. */
[[nodiscard]] double upper_delta(double epsilon, const Totals &totals) noexcept;

/** An upper bound of the law of a privacy loss log(dP/dQ) under P, on the grid of multiples of a
 *  step: moving mass upwards, or apart so that P and Q keep theirs (which is the reverse of a
 *  post-processing), makes a pair easier to tell apart. All numbers are >= 0 and only added and
 *  multiplied, so that rounding is a relative error, which is added. */
class LossDistribution {
  public:
    /** Mass at multiples first, first + 1, ... of the step, the rest at infinity.
     *  @param slack  By how much losses may exceed their places. */
    LossDistribution(double step, std::int64_t first, std::vector<double> mass, double infinite,
                     double slack);

    /** Of two independent losses on the same grid. */
    [[nodiscard]] LossDistribution operator+(const LossDistribution &other) const;

    /** On a grid of twice the step: mass between its places is moved to both neighbours. */
    void coarsen();

    /** Moves mass of at most `tail` at the top to infinity, and the same at the bottom upwards. */
    void cut(double tail);

    [[nodiscard]] std::size_t size() const { return mass_.size(); }
    [[nodiscard]] double step() const { return step_; }
    [[nodiscard]] double infinite() const { return infinite_; }
    [[nodiscard]] double place(std::size_t k) const {
        return step_ * static_cast<double>(first_ + static_cast<std::int64_t>(k)) + slack_;
    }

    /** delta at epsilon = place(k), for every k: an upper bound. Between two of them the curve is
     *  below the line that joins them, as a function of e^epsilon. */
    [[nodiscard]] std::vector<double> curve() const;

  private:
    double step_;
    std::int64_t first_;
    std::vector<double> mass_;
    double infinite_;
    double slack_;
};

}  // namespace dpadapt::privacy
