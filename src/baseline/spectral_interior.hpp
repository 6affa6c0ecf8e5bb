#pragma once

#include <array>

#include "linalg/arma.hpp"

namespace dpadapt::baseline {

/** A strictly feasible point of the program below and of its dual. */
struct InteriorPoint {
    arma::vec q;                 ///< primal: weights, sum 1
    double t = 0.0;              ///< primal: more than ||M(q)||_2
    std::array<arma::mat, 2> s;  ///< dual: positive definite, of traces that add up to 1
    double nu = 0.0;             ///< dual

    /** The dual matrix S, of nuclear norm at most 1. */
    [[nodiscard]] arma::mat dual() const { return s[0] - s[1]; }
};

/** The semidefinite program: minimize t + 1/2 sum_k cost_k q_k^2 over the simplex with -t I <= M(q)
 *  <= t I, M(q) = target - sum_k q_k z_k z_k'. Its dual: S = s_0 - s_1 as above and reduced_k =
 *  cost_k q_k - z_k'S z_k + nu >= 0.
 *
 *  Primal-dual interior point, HKM direction with Mehrotra's corrector: as the matrices z z' have
 *  rank one, the Newton system over q is a sum of elementwise products of kernel matrices. Time
 *  O(K^2 d + K^3 + d^3) a step for K columns. */
class SpectralProgram {
  public:
    /** Borrows all. */
    SpectralProgram(const arma::mat &target, const arma::mat &z, const arma::vec &cost,
                    std::size_t threads);

    /** A starting point: the given weights, and a dual matrix of 0. */
    [[nodiscard]] InteriorPoint start(const arma::vec &q) const;

    /** Newton step; false when the precision of the arithmetic does not allow another one. */
    [[nodiscard]] bool advance(InteriorPoint &point) const;

    /** Primal value less dual value; infinite when a weight or a reduced cost is not positive. */
    [[nodiscard]] double gap(const InteriorPoint &point) const;

    [[nodiscard]] arma::mat residual(const arma::vec &q) const;

  private:
    struct Slacks;
    struct Newton;
    struct Direction;

    [[nodiscard]] Slacks slacks(const InteriorPoint &point) const;
    [[nodiscard]] bool factorize(const InteriorPoint &point, const Slacks &slacks,
                                 Newton &newton) const;
    [[nodiscard]] Direction direction(const InteriorPoint &point, const Slacks &slacks,
                                      const Newton &newton, double center,
                                      const Direction *predictor) const;
    [[nodiscard]] bool kernel(const InteriorPoint &point, const Slacks &slacks,
                              Newton &newton) const;

    const arma::mat &target_;
    const arma::mat &z_;
    const arma::vec &cost_;
    std::size_t threads_;
};

}  // namespace dpadapt::baseline
