#pragma once

#include <vector>

#include "linalg/arma.hpp"

namespace dpadapt::linalg {

/** Limited-memory BFGS model of a Hessian (Nocedal and Wright, Numerical Optimization, section
 *  7.2), positive definite whatever the function is: B = gamma D where nothing is known of it, with
 *  a diagonal D of the units of the coordinates. */
class QuasiNewton {
  public:
    /** D is 1. */
    explicit QuasiNewton(arma::uword size) : root_(size, arma::fill::ones) {}

    /** Sets D, which is about the diagonal of the Hessian: its entries, or the floor where they are
     *  below. Nothing changes if there are none, all are 0, one is not finite, or they are all
     *  alike, to a factor of ten. */
    void scale_by(arma::vec diagonal, double floor);

    /** Learns from a step and the change of the gradient along it. Where the function is not convex
     *  along the step the curvature is set to a fifth of the last one. */
    void update(arma::vec step, arma::vec change);

    /** argmin over ||y|| <= radius of gradient.(y - x) + 1/2 (y - x)'B(y - x). Before the first
     *  update B is D or, if that was never set, the multiple of the identity that makes a
     *  step of length min(1, radius). */
    [[nodiscard]] arma::vec minimize(const arma::vec &x, const arma::vec &gradient,
                                     double radius) const;

    [[nodiscard]] bool empty() const { return pairs_.empty(); }
    void clear() { pairs_.clear(); }

  private:
    struct Pair {
        arma::vec step;
        arma::vec change;
    };
    [[nodiscard]] double scale() const;  // gamma of the last pair

    std::vector<Pair> pairs_;  // oldest first
    arma::vec root_;           // of D
    bool scaled_ = false;
};

/** argmin over ||y|| <= radius of gradient.(y - x) + 1/2 (y - x)'H(y - x); H positive semidefinite.
 *  A tiny ridge keeps directions that H does not see where they are. */
[[nodiscard]] arma::vec minimize_quadratic_in_ball(arma::mat h, const arma::vec &x,
                                                   const arma::vec &gradient, double radius);

}  // namespace dpadapt::linalg
