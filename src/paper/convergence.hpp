#pragma once

#include "problem/hyperparameters.hpp"
#include "problem/plan_facts.hpp"

namespace dpadapt::paper {

/** What the paper proves of its private algorithms: after T steps the expected error is at most the
 *  sum of three terms. NaN where a number is unknown. Of the convex form
 *  (theorem 1, explicit form in the appendix) the error is that of the objective F; of the general
 *  form (theorem 4) the square of the norm of the gradient mapping. */
struct Convergence {
    int theorem = 1;
    double theorem_steps = 0.0;  ///< T that the theorem asks for
    double steps = 0.0;          ///< T of the plan, which the terms are for
    double predictor = 0.0;      ///< by the noise of the gradients by w
    double private_weights = 0.0;
    double rest = 0.0;     ///< convex: by the public weights; general: by the number of steps
    double trivial = 0.0;  ///< largest error that is possible

    [[nodiscard]] double error() const { return predictor + private_weights + rest; }
};

/** The formulas as printed, for a private target and the noise that is printed.
 *  @param steps  T of the plan. */
[[nodiscard]] Convergence convergence(const Hyperparameters &hyper, const PlanFacts &facts,
                                      double epsilon, double delta, double steps);

}  // namespace dpadapt::paper
