#pragma once

#include "problem/prepared_problem.hpp"

namespace dpadapt::paper {

/** How strongly the general form (equation (7)), with its variables u = 1/q, can be
 *  curved over its whole domain. */
struct Smoothness {
    /** beta-bar of the paper's lemma: bounds the norm of the Hessian by (theta, u). */
    double whole;

    /** In theta and v_i = p_i u_i: the Hessian is at most diagonal, `theta` for every parameter and
     *  p_i `weights` for v_i. Steps that are one over these never raise the objective. */
    double theta;
    double weights;
};

/** For m source and n target records, with the loss's bounds B, G and beta. */
[[nodiscard]] Smoothness smoothness_of(const Hyperparameters &hyper, const loss::Bounds &bounds,
                                       double discrepancy, double m, double n);

}  // namespace dpadapt::paper
