#pragma once

#include "evaluate/evaluation.hpp"
#include "records/error_terms.hpp"
#include "records/task.hpp"

namespace dpadapt::evaluate {

/** The measures that a noisy sum of error terms holds. */
void decode(const records::ErrorTask &task, std::span<const double> released, Measured &measured);

/** Where the noisy histogram of sizes ends. */
[[nodiscard]] double bound_of_sizes(std::span<const double> counts, double noise);

}  // namespace dpadapt::evaluate
