#pragma once

#include "discrepancy/estimate.hpp"
#include "privacy/plan.hpp"
#include "privacy/release.hpp"
#include "problem/private_problem.hpp"
#include "random/key.hpp"

namespace dpadapt {

/** Public. */
[[nodiscard]] DiscrepancyBall discrepancy_ball(const PrivateProblem &problem,
                                               const Settings &settings);

/** tau that the solver is proven to reach for any private records. */
[[nodiscard]] double least_tolerance(const PrivateProblem &problem, const Settings &settings,
                                     double loss_bound);

/** Releases the discrepancy with noise: exact moments of the quantised private records
 *  (sums::MomentSum), the supremum to a certified tau, noise on an integer grid, the result
 *  clamped to [0, loss_bound]. */
[[nodiscard]] double release_discrepancy(const PrivateProblem &problem, const Settings &settings,
                                         const privacy::Plan &plan, double loss_bound,
                                         const random::Key &key, Control &control,
                                         privacy::ReleaseTrace *trace = nullptr);

/** Bound of the labelled discrepancy of the clipped records of a private target, from a bound of
 *  the unlabelled one and public numbers alone. */
[[nodiscard]] double bound_labelled(const PrivateProblem &problem, const Settings &settings,
                                    double unlabelled, Control &control);

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

/** The release of a private discrepancy. Its noise is drawn when it is made: before private records
 *  are read. */
class DiscrepancyRelease {
  public:
    /** Laplace or Gaussian noise. */
    DiscrepancyRelease(const privacy::NumberGrid &grid, privacy::Mechanism mechanism,
                       const random::Key &key);

    /** The value with noise on an integer grid, clamped to [0, bound]. */
    [[nodiscard]] double operator()(double value, double bound, privacy::ReleaseTrace *trace) const;

  private:
    privacy::NumberGrid grid_;
    std::int64_t noise_ = 0;
};

}  // namespace dpadapt
