#pragma once

#include <cstddef>
#include <functional>

#include "base/control.hpp"
#include "linalg/arma.hpp"

namespace dpadapt::linalg {

/** A smooth function on R^k. */
class SmoothFunction {
  public:
    virtual ~SmoothFunction() = default;
    /** Value at x; writes the gradient. */
    virtual double evaluate(const arma::vec &x, arma::vec &gradient) = 0;
    /** Positive semidefinite model of the Hessian at x, which is the point evaluated last. Empty at
     *  every x: a quasi-Newton model is used. */
    virtual arma::mat curvature(const arma::vec & /*x*/) { return {}; }
    /** About the diagonal of the Hessian near x, not negative. Empty: not known. Asked for a few
     *  times, for a quasi-Newton model. */
    virtual arma::vec diagonal(const arma::vec & /*x*/) { return {}; }
    /** A lower bound of every value, which does not count when a gap is compared with a value. */
    [[nodiscard]] virtual double offset() const { return 0.0; }
    /** Bound on the error of the value evaluated last, where it comes from a search itself. */
    [[nodiscard]] virtual double slack() const { return 0.0; }
};

enum class SmoothStop { converged, precision, iterations };

/** Converged: gap <= tolerance |value|, where a value that fell below tolerance |value at the
 *  start| counts as that, so that minima of 0 are found. The radius is finite. */
struct SmoothLimits {
    double radius = 0.0;
    double tolerance = 0.0;
    std::size_t iterations = 0;
};

/** The gap is the one of Frank and Wolfe, max over the ball of gradient.(x - y), plus the slack:
 *  for a convex
 *  function a bound on value - minimum, for any other 0 at stationary points only. */
struct SmoothMinimum {
    arma::vec x;
    double value = 0.0;
    arma::vec gradient;
    double gap = 0.0;
    std::size_t iterations = 0;
    SmoothStop stop = SmoothStop::iterations;
};

/** Called before every iteration with its number, the value and the gap; may throw to cancel. */
using SmoothProgress = std::function<void(std::size_t, double, double)>;

/** What tells the control. */
[[nodiscard]] SmoothProgress reporting(Control &control, Phase phase, std::size_t limit);

/** A stationary point over ||x|| <= radius, by monotone descent from the start, which is projected
 *  on the ball: steps to the minimum of a quadratic model over the ball, shortened where the model
 *  promises too much. Throws Error(DPA_E_NUMERICAL) when the function is not finite at the start;
 *  elsewhere such points are avoided. */
[[nodiscard]] SmoothMinimum minimize_smooth(SmoothFunction &function, arma::vec start,
                                            const SmoothLimits &limits,
                                            const SmoothProgress &progress = {});

/** ||x - Proj(x - gradient)||, the norm of the gradient mapping for step size 1. */
[[nodiscard]] double gradient_mapping(const arma::vec &x, const arma::vec &gradient, double radius);

}  // namespace dpadapt::linalg
