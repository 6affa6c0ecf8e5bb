#pragma once

#include <vector>

namespace dpadapt {

/** The smallest of the values such that at least the given share of them is not above it. */
[[nodiscard]] double quantile(std::vector<double> values, double level);

/** The same of values that count as often as their weights say, whose mean is 1; without weights
 *  each counts once. */
[[nodiscard]] double quantile(std::vector<double> values, const std::vector<double> &relative,
                              double level);

}  // namespace dpadapt
