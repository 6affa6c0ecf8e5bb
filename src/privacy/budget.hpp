#pragma once

#include "privacy/release.hpp"

namespace dpadapt::privacy {

/** What may be spent on the records of one domain: whatever is released within the cap, chosen
 *  adaptively or not, is (epsilon, delta)-differentially private. The cap has three parts because
 *  only totals that are fixed beforehand, part by part, are covered when later releases are chosen
 *  by looking at earlier ones. */
struct Budget {
    double epsilon = 0.0;
    double delta = 0.0;
    Cost cap;
    Neighbours neighbours = Neighbours::replace;  ///< of everything that it pays for
};

/** Gives laplace_epsilon to Laplace releases, pure_epsilon to other pure ones, and to Gaussian ones
 *  what is left up to delta: nothing when that is less than mu = 1e-8. Of delta, `failure` units of
 *  2^-120 are kept for sampled releases. Throws Error(DPA_E_OPTION)
 *  when the first two alone exceed (epsilon, delta), Error(DPA_E_INVALID_ARGUMENT) outside the
 *  accountant's range. */
[[nodiscard]] Budget make_budget(double epsilon, double delta, double laplace_epsilon,
                                 double pure_epsilon, Neighbours neighbours = Neighbours::replace,
                                 Uint128 failure = 0);

/** A budget of exactly these costs. Throws Error(DPA_E_OPTION), stating the true epsilon and delta,
 *  when they exceed (epsilon, delta). */
[[nodiscard]] Budget certify_budget(double epsilon, double delta, const Cost &cost,
                                    Neighbours neighbours = Neighbours::replace);

}  // namespace dpadapt::privacy
