#pragma once

#include "engine/options.hpp"
#include "problem/plan_request.hpp"

namespace dpadapt::engine {

/** Sentences about options that were set and change nothing in this call: of other kinds of calls,
 *  or hidden by other options. `baseline` is the method's name; null for fits of the paper's. */
[[nodiscard]] std::vector<std::string> unread_options(const OptionValues &values,
                                                      const Settings &settings, Wanted wanted,
                                                      const char *baseline);

}  // namespace dpadapt::engine
