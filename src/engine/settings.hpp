#pragma once

#include "engine/options.hpp"
#include "problem/plan_request.hpp"

namespace dpadapt::engine {

/** The options as a call that wants that needs them. Throws Error(DPA_E_OPTION) for contradictions
 *  and Error(DPA_E_UNSUPPORTED) for what this version cannot do. */
[[nodiscard]] Settings make_settings(const OptionValues &values, Wanted wanted);

}  // namespace dpadapt::engine
