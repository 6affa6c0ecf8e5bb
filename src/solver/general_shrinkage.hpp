#pragma once

#include "solver/private_run.hpp"

namespace dpadapt {

/** Private adaptation with alpha chosen by the data for any loss: the recipe of fit_with_shrinkage
 *  in the public metric of the loss. Privacy: as there; a record's term is its clipped gradient. */
[[nodiscard]] PrivateFit fit_general_with_shrinkage(const PrivateRun &run,
                                                    const Settings &settings);

}  // namespace dpadapt
