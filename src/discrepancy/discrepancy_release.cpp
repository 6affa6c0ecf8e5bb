#include "discrepancy/discrepancy_release.hpp"

#include <algorithm>

#include "random/laplace.hpp"
#include "random/noise.hpp"

namespace dpadapt {

DiscrepancyRelease::DiscrepancyRelease(const privacy::LaplaceGrid &grid, const random::Key &key)
    : grid_(grid) {
    random::fill_with_noise({&noise_, 1}, random::laplace, static_cast<unsigned>(grid.bits), key,
                            random::Purpose::laplace, 0);
}

double DiscrepancyRelease::operator()(double value, double bound,
                                      privacy::ReleaseTrace *trace) const {
    const double released = privacy::release_laplace(value, bound, grid_, noise_);
    if (trace == nullptr) return released;
    const std::int64_t integer = privacy::floor_quotient(std::clamp(value, 0.0, bound), grid_.unit);
    return trace->on_release(random::Purpose::laplace, 0, {&integer, 1}, {released}).at(0);
}

}  // namespace dpadapt
