#pragma once

#include "privacy/plan.hpp"
#include "privacy/release_trace.hpp"
#include "problem/plan_request.hpp"
#include "problem/private_problem.hpp"
#include "random/key.hpp"

namespace dpadapt {

/** The ball over which a private discrepancy is taken; public. */
struct DiscrepancyBall {
    arma::vec center;
    double radius = 0.0;
};

[[nodiscard]] DiscrepancyBall discrepancy_ball(const PrivateProblem &problem,
                                               const Settings &settings);

/** tau that the solver is proven to reach for any private records. */
[[nodiscard]] double least_tolerance(const PrivateProblem &problem, const Settings &settings,
                                     double loss_bound);

/** Releases the discrepancy with noise: exact moments of the quantised private records
 *  (privacy::MomentSum), the supremum to a certified tau, noise on an integer grid, the result
 *  clamped to [0, loss_bound]. */
[[nodiscard]] double release_discrepancy(const PrivateProblem &problem, const Settings &settings,
                                         const privacy::Plan &plan, double loss_bound,
                                         const random::Key &key, Control &control,
                                         privacy::ReleaseTrace *trace = nullptr);

}  // namespace dpadapt
