#pragma once

#include "private/metric.hpp"
#include "records/run.hpp"

namespace dpadapt {

/** Noisy mean of the private records' shrunken Hessians in that metric, in units of `most`: each is
 *  zeta zeta' times its share of the loss's largest curvature at the public fit, times the factor
 *  by which its gradient term is clipped there, and of Frobenius norm `most` at most. */
[[nodiscard]] arma::mat release_moments(const PrivateRun &run, privacy::Domains domain,
                                        const Metric &metric, double most);

/** Of how many records that is the mean: of all, or of those with a label where the Hessian depends
 *  on it, or, where they have weights, the sum of these. */
[[nodiscard]] double moments_rows(const PrivateRun &run, privacy::Domains domain);

}  // namespace dpadapt
