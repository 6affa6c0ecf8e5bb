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
