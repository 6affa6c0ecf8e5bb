#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "random/stream.hpp"

namespace dpadapt::privacy {

/** Sees each release: the integers before the noise, and the values after it; for tests that replay
 *  a run on a neighbour. */
class ReleaseTrace {
  public:
    ReleaseTrace() = default;
    ReleaseTrace(const ReleaseTrace &) = delete;
    ReleaseTrace &operator=(const ReleaseTrace &) = delete;
    virtual ~ReleaseTrace() = default;

    /** Returns the values to go on with: `released`, or those recorded from another run. */
    virtual std::vector<double> on_release(random::Purpose purpose, std::uint64_t step,
                                           std::span<const std::int64_t> integers,
                                           std::vector<double> released) = 0;
};

}  // namespace dpadapt::privacy
