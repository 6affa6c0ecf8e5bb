#pragma once

#include "engine/options.hpp"
#include "problem/plan_request.hpp"

namespace dpadapt::engine {

/** The options as a call that wants that needs them. Throws Error(DPA_E_OPTION) for contradictions
 *  and Error(DPA_E_UNSUPPORTED) for what this version cannot do. */
[[nodiscard]] Settings make_settings(const OptionValues &values, Wanted wanted);

/** Sentences about options that were set and change nothing in this fit: of other kinds of calls,
 *  or hidden by other options. `baseline` is the method's name; null for fits of the paper's. */
[[nodiscard]] std::vector<std::string> unread_options(const OptionValues &values,
                                                      const Settings &settings, Wanted wanted,
                                                      const char *baseline);

}  // namespace dpadapt::engine
