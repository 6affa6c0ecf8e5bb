#pragma once

#include "problem/settings.hpp"
#include "records/run.hpp"

namespace dpadapt {

/** The part of the objective that public rows have in it, minimized without privacy: it costs
 *  nothing. Without weight of the public rows their plain fit. */
[[nodiscard]] PrivateFit fit_public_part(const PrivateRun &run, const Settings &settings,
                                         double discrepancy, Control &control);

}  // namespace dpadapt
