#pragma once

#include "linalg/arma.hpp"
#include "problem/settings.hpp"
#include "records/run.hpp"

namespace dpadapt {

/** Where private steps start, and what the choice has told and taken. */
struct Anchor {
    arma::vec theta;
    std::optional<double> labelled = {};  ///< of PrivateRun, where it is known now
    std::uint64_t steps = 0;              ///< of the plan, that were used for the choice
};

/** The public predictor from which private steps start and towards which they are shrunk: the
 *  public fit, or one with a ridge if the mean loss of the private records, released with noise,
 *  is lower by more than the noise explains. A ridge loses little on the public records and may
 *  extrapolate far better; which one does, public records cannot tell.
 *
 *  Losses are clipped to a quantile of the public records' losses at the public fit. A record moves
 *  the vector of K mean losses by sqrt(K)/n of that at most; one release, and where it shows that
 *  few records have labels, some of those of the steps (comparison.hpp). Without it in the plan,
 *  because the noise would hide every difference, the public fit. */
[[nodiscard]] Anchor choose_anchor(const PrivateRun &run, const Settings &settings);

}  // namespace dpadapt
