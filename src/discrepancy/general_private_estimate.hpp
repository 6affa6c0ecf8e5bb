#pragma once

#include <vector>

#include "privacy/plan.hpp"
#include "privacy/release.hpp"
#include "problem/private_problem.hpp"
#include "random/key.hpp"

namespace dpadapt {

/** What public data decide about the private discrepancy of any loss, max over theta in H_0 of the
 *  difference of the mean losses, clipped to [0, B]. The maximum over a ball has no certified
 *  solver; over a finite public set it is exact.
 *
 *  B with a public sample is the largest over H_0 of the 0.99 quantile of its losses: at none of
 *  the predictors are more of them clipped. Noise is proportional to B, so the largest loss, which
 *  an outlier decides, would be too much; and at n epsilon_1 of a hundred the noise is already a
 *  hundredth of B, so clipping more to save noise would cost more than it saves. It is never more
 *  than a bound that the loss is known to have, and this bound where no sample is public. */
struct FiniteDiscrepancy {
    std::vector<arma::vec> predictors;  ///< H_0
    double bound = 0.0;                 ///< B
    std::vector<double> public_means;   ///< of the clipped losses; empty where no sample is public
    DiscrepancySide side;

    /** Throws Error(DPA_E_OPTION) if no finite positive B is known. */
    FiniteDiscrepancy(const PrivateProblem &problem, const Settings &settings, Control &control);

    /** tau: what is rounded for any private records, 2^-50 B.
     *
     *  A private record's loss is the integer trunc(2^30 loss / B) in [0, 2^30], whatever its loss
     *  was; sums are exact. So with means S B / (2^30 n) in exact arithmetic D = max |mean - mean'|
     *  moves by at most B/n when one record is replaced: each mean does, and so does the maximum of
     *  their distances, or of their differences and 0. In doubles, u = 2^-53: conversion, quotient
     *  and product give a mean in [0, B] an error of at most 3.01 u B, and the difference of two
     *  adds u B: less than 8 u B in all.
     *  A public mean is a constant. Nothing underflows for B >= 1e-60. */
    [[nodiscard]] double least_tolerance() const { return 0x1p-50 * bound; }
};

/** Releases it with noise. */
[[nodiscard]] double release_general_discrepancy(const PrivateProblem &problem,
                                                 const FiniteDiscrepancy &discrepancy,
                                                 const privacy::Plan &plan, const random::Key &key,
                                                 Control &control,
                                                 privacy::ReleaseTrace *trace = nullptr);

}  // namespace dpadapt
