#include "private/weight_sum.hpp"

#include <algorithm>

#include "records/reader.hpp"
#include "records/release.hpp"

namespace dpadapt {

double release_weight_sum(const PrivateRun &run) {
    constexpr auto kPurpose = random::Purpose::weight_sum;
    const privacy::VectorGrid &grid = *run.plan.weight_sum;
    const records::ComparisonTask task{run.problem.choice(), {}, 1.0, grid, 1.0};
    const auto noise = gaussian_noise(run, kPurpose, 0, 1);
    const records::Reader rows(run.problem, run.problem.domains());
    const double twice_less = release(run, kPurpose, 0, rows.sum(task), noise, rows.rows())(0);
    const auto most = static_cast<double>(rows.rows());
    const double least = std::clamp(0.5 * grid.sigma(), 1.0, most);
    return std::clamp(0.5 * (twice_less + most), least, most);
}

}  // namespace dpadapt
