#pragma once

#include "evaluate/bins.hpp"
#include "records/error_terms.hpp"
#include "records/task.hpp"

namespace dpadapt::evaluate {

/** The measures that a noisy sum of error terms holds.
 *  @param references  By which the areas of the task were made; for solutions of two classes. */
void decode(const records::ErrorTask &task, std::span<const double> released,
            const std::vector<Reference> &references, Measured &measured);

/** How many deviations of the noise a count must have to be seen. */
constexpr double kSeen = 2.5;

/** Where the noisy histogram of sizes ends; 0 if nothing in it is more than noise. */
[[nodiscard]] double bound_of_sizes(std::span<const double> counts, double noise);

/** Whether it ends, as a multiple of its median, later than that of normal residuals would where
 *  noise hides that share of the rows, or has more rows far out. */
[[nodiscard]] bool has_heavy_tail(std::span<const double> counts, double noise, double share);

}  // namespace dpadapt::evaluate
