#pragma once

#include "privacy/laplace_release.hpp"
#include "privacy/release_trace.hpp"
#include "random/key.hpp"

namespace dpadapt {

/** The release of a private discrepancy. Its noise is drawn when it is made: before private records
 *  are read. */
class DiscrepancyRelease {
  public:
    DiscrepancyRelease(const privacy::LaplaceGrid &grid, const random::Key &key);

    /** The value with noise on an integer grid, clamped to [0, bound]. */
    [[nodiscard]] double operator()(double value, double bound, privacy::ReleaseTrace *trace) const;

  private:
    privacy::LaplaceGrid grid_;
    std::int64_t noise_ = 0;
};

}  // namespace dpadapt
