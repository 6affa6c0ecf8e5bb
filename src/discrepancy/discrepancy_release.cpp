#include "discrepancy/discrepancy_release.hpp"

#include <algorithm>

#include "random/laplace.hpp"
#include "random/noise.hpp"
#include "random/normal.hpp"

namespace dpadapt {

DiscrepancyRelease::DiscrepancyRelease(const privacy::NumberGrid &grid,
                                       privacy::Mechanism mechanism, const random::Key &key)
    : grid_(grid) {
    // mutant: noise_of_the_other_kind
    const bool gaussian = mechanism == privacy::Mechanism::gaussian;
    random::fill_with_noise({&noise_, 1}, gaussian ? random::normal : random::laplace,
                            static_cast<unsigned>(grid.bits), key, random::Purpose::discrepancy, 0);
}

double DiscrepancyRelease::operator()(double value, double bound,
                                      privacy::ReleaseTrace *trace) const {
    const double released = privacy::release_number(value, bound, grid_, noise_);
    if (trace == nullptr) return released;
    const std::int64_t integer = privacy::floor_quotient(std::clamp(value, 0.0, bound), grid_.unit);
    return trace->on_release(random::Purpose::discrepancy, 0, {&integer, 1}, {released}).at(0);
}

}  // namespace dpadapt
