#pragma once

#include "solver/private_run.hpp"

namespace dpadapt {

/** Chooses the metric of the private steps. If the plan releases the private sample's second
 *  moments, they replace the public ones wherever they differ from them by more than the noise of
 *  the release; else the metric is public.
 *
 *  A record's part is zeta zeta', shrunk to Frobenius norm C_M (a quantile of the public rows') and
 *  as its gradient term will be; the noise matrix has spectral norm sqrt(2 d) tau at most, about,
 *  so the eigenvalues of the difference to the public moments are moved towards zero by that much.
 *  Everything after the release is post-processing: a bad metric costs accuracy, not privacy.
 *
 *  `share` is the weight of the private sample in the objective; the public moments have the
 *  rest. */
[[nodiscard]] Metric choose_metric(const PrivateRun &run, const PrivacySettings &settings,
                                   privacy::Domains domain, double share);

}  // namespace dpadapt
