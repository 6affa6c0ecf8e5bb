#pragma once

#include "base/control.hpp"
#include "engine/public_rows.hpp"

namespace dpadapt::engine {

/** Of several public sources keeps those that help: ordered by the target's loss at the fit of each
 *  alone, the first k whose adaptation does best on target rows that are left out, or the most that
 *  are within one standard error of it. The losses of all are charged at the price of the first
 *  one. */
void choose_sources(const Persons &sources, const Sample &target, const Settings &settings,
                    Control &control, PublicRows &rows);

}  // namespace dpadapt::engine
