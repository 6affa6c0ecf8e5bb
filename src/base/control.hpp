#pragma once

#include <cstdint>
#include <limits>

#include "base/phase.hpp"

namespace dpadapt {

/** Where a long call stands; shown to the caller's progress function. */
struct Progress {
    Phase phase;
    std::int64_t iteration = 0;
    std::int64_t limit = 0;
    double objective = std::numeric_limits<double>::quiet_NaN();
    double gap = std::numeric_limits<double>::quiet_NaN();
};

/** The caller's line into a running call: every loop reports here and may be stopped here. */
class Control {
  public:
    Control() = default;
    Control(const Control &) = delete;
    Control &operator=(const Control &) = delete;
    virtual ~Control() = default;

    /** Called on the calling thread; throws Error(DPA_E_CANCELLED) when the caller wants to stop.
     */
    virtual void report(const Progress &progress) = 0;

    /** The same on the way through many rows, with nothing new to tell. */
    virtual void pause() {}
};

}  // namespace dpadapt
