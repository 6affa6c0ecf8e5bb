#pragma once

#include "private/call.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** Fits a predictor with the guarantee that the call has paid for. A discrepancy that was released
 *  before, or is public, is used as it is; without one the call releases its own if the method
 *  needs it. The solution holds what is released and what follows from it, nothing else; its
 *  privacy record is the caller's. */
[[nodiscard]] Solution solve_private(const PrivateCall &call, std::optional<double> discrepancy,
                                     privacy::ReleaseTrace *trace = nullptr);

}  // namespace dpadapt
