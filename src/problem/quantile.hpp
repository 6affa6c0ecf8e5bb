#pragma once

#include <vector>

namespace dpadapt {

/** The smallest of the values such that at least the given share of them is not above it. */
[[nodiscard]] double quantile(std::vector<double> values, double level);

}  // namespace dpadapt
