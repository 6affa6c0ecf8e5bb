#pragma once

#include <functional>

#include "solver/private_run.hpp"

namespace dpadapt {

/** Private adaptation with alpha chosen by the data (alpha = auto), all of it post-processing of T
 *  releases, and of one more if choose_metric makes it.
 *
 *  At v_t the private mean of the clipped terms r_j zeta_j, released with noise, gives the estimate
 *  v_t - mean of the target's optimum (a Newton step, as far as the metric has the target's second
 *  moments); the running mean of these is moved to the public solution as far as the noise and the
 *  sampling error, both known from public numbers, could explain the distance: a soft-thresholded
 *  James-Stein rule. With little data or a small epsilon the result is the public solution; as both
 *  grow it is the target's own.
 *
 *  Privacy: each of the T sums has certified sensitivity 2 Q in exact integers (privacy::VectorSum)
 *  and noise floor(2^b Z), which makes it grid.certified_mu()-GDP; squares add up. The number of
 *  passes is fixed, no value computed from private rows leaves otherwise, and no branch depends on
 *  one. */
[[nodiscard]] PrivateFit fit_with_shrinkage(const PrivateRun &run, const Settings &settings);

/** The recipe for any loss, in a metric of which it needs the public fit, C, the mean square of the
 *  clipped public terms, and a projection that may do nothing. */
struct Shrinkage {
    std::size_t records;
    arma::vec start;
    double clip;
    double term_square;
    double threshold;  ///< in standard deviations
    /// whether gradients are linear in v, so that a step that is too long is undone by the mean
    bool linear;
    /** Adds the terms of the private records at v, in units of C. */
    std::function<void(const arma::vec &v, privacy::VectorSum &sum)> add_terms;
    std::function<arma::vec(const arma::vec &v)> project;
};

/** Where it ends, and the share of the way from the public fit to the estimate that is kept. */
struct Shrunken {
    arma::vec v;
    double kept = 0.0;
};

[[nodiscard]] Shrunken shrink_to_public_fit(const PrivateRun &run, const Shrinkage &task);

}  // namespace dpadapt
