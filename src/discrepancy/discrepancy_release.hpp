#pragma once

#include "privacy/number_release.hpp"
#include "privacy/release.hpp"
#include "privacy/release_trace.hpp"
#include "random/key.hpp"

namespace dpadapt {

/** The release of a private discrepancy. Its noise is drawn when it is made: before private records
 *  are read. */
class DiscrepancyRelease {
  public:
    /** Laplace or Gaussian noise. */
    DiscrepancyRelease(const privacy::NumberGrid &grid, privacy::Mechanism mechanism,
                       const random::Key &key);

    /** The value with noise on an integer grid, clamped to [0, bound]. */
    [[nodiscard]] double operator()(double value, double bound, privacy::ReleaseTrace *trace) const;

  private:
    privacy::NumberGrid grid_;
    std::int64_t noise_ = 0;
};

}  // namespace dpadapt
