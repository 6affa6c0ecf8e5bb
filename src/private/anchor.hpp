#pragma once

#include "linalg/arma.hpp"
#include "problem/settings.hpp"
#include "records/run.hpp"

namespace dpadapt {

/** The public predictor from which private steps start and towards which they are shrunk: the
 *  public fit, or one with a ridge if the mean loss of the private records, released with noise,
 *  is lower by more than the noise explains. A ridge loses little on the public records and may
 *  extrapolate far better; which one does, public records cannot tell.
 *
 *  Losses are clipped to a quantile of the public records' losses at the public fit. A record moves
 *  the vector of K mean losses by sqrt(K)/n of that at most; one release. Without it in the plan,
 *  because the noise would hide every difference, the public fit. */
[[nodiscard]] arma::vec choose_anchor(const PrivateRun &run, const Settings &settings);

}  // namespace dpadapt
