#pragma once

#include "private/metric.hpp"
#include "private/public_metric.hpp"
#include "records/paid_call.hpp"

namespace dpadapt {

/** Chooses the metric of the private steps: of the public Hessian for linear scores, else of the
 *  public gradients. If the plan releases the private sample's second moments, they replace the
 *  public ones wherever they differ from them by more than the noise of the release.
 *
 *  A record's part is its Hessian zeta zeta' times a share of the largest curvature, at the public
 *  fit; shrunk to Frobenius norm C_M (a quantile of the public rows') and as its gradient term will
 *  be. The noise matrix has spectral norm sqrt(2 d) tau at most, about, so the eigenvalues of the
 *  difference to the public moments are moved towards zero by that much. Everything after the
 *  release is post-processing: a bad metric costs accuracy, not privacy.
 *
 *  @param share   Weight of the private sample in the objective; the public moments have the rest.
 *  @param anchor  For linear scores the public predictor at which slopes and curvatures are taken,
 *                 and from which steps start. */
[[nodiscard]] Metric choose_metric(const PrivateRun &run, const Settings &settings,
                                   privacy::Domains domain, double share, const arma::vec &anchor);

}  // namespace dpadapt
