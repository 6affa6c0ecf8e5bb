#pragma once

#include "private/call.hpp"

namespace dpadapt {

/** The call's source with its constant columns by their regression on the others in the private
 *  target, whose second moments it releases. */
[[nodiscard]] Sample fill_own_columns(const PrivateCall &call, privacy::ReleaseTrace *trace);

}  // namespace dpadapt
