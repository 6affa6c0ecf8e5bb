#pragma once

#include <map>

#include "engine/options.hpp"
#include "problem/plan_request.hpp"

namespace dpadapt::engine {

/** The options as a call that wants that needs them. Throws Error(DPA_E_OPTION) for contradictions
 *  and Error(DPA_E_UNSUPPORTED) for what this version cannot do. */
[[nodiscard]] Settings make_settings(const OptionValues &values, Wanted wanted);

/** Options that change nothing in a fit, each with a sentence for those who set it. */
using UnreadOptions = std::map<Option, std::string>;

/** Of other kinds of calls, or hidden by other options. `baseline` is the method's name; null for
 *  fits of the paper's. */
[[nodiscard]] UnreadOptions unread_options(const OptionValues &values, const Settings &settings,
                                           Wanted wanted, const char *baseline);

}  // namespace dpadapt::engine
