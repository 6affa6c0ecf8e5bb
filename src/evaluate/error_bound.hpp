#pragma once

#include <vector>

#include "problem/sample.hpp"
#include "solution/solution.hpp"

namespace dpadapt::evaluate {

/** By what the errors of private rows are clipped: the quantile of public ones, and room for those
 *  of another domain; infinite where that says nothing. */
[[nodiscard]] double widened(std::vector<double> sizes, double level);

/** The same of a solution, by at most 20 000 of the public rows, evenly drawn. */
[[nodiscard]] double error_bound(const Solution &solution, const Sample &rows, double level);

}  // namespace dpadapt::evaluate
