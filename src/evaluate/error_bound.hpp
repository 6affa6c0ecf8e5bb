#pragma once

#include <vector>

#include "problem/sample.hpp"
#include "solution/solution.hpp"

namespace dpadapt::evaluate {

/** The quantile of public errors by which those of private rows are clipped, if a fit says it. */
constexpr double kErrorLevel = 0.99;

/** By what errors on rows that a solution may have been fitted to are multiplied, so that they are
 *  as large as those on other rows: 1/(1 - k/m) for k free numbers and m rows. A residual of least
 *  squares is 1 - leverage times that of a fit without its row, and the leverages' mean is k/m.
 *  Two classes can be told apart by chance up to m = 2 k, which therefore counts double. Infinite
 *  where k/m is above 3/4: such rows may be known by heart. */
[[nodiscard]] double left_out_factor(const Solution &solution, std::size_t rows);

/** By what the errors of private rows are clipped: the quantile of public ones, and room for those
 *  of another domain; infinite where that says nothing. */
[[nodiscard]] double widened(std::vector<double> sizes, double level);

/** Whether public errors of that size can be believed: no smaller than a millionth of the range of
 *  the labels (of classes: than a millionth), as those of rows that are known by heart are. */
[[nodiscard]] bool is_credible(double bound, const Solution &solution, const Sample &rows);

/** The bound for a solution, by at most 20 000 of the public rows, evenly drawn. */
[[nodiscard]] double error_bound(const Solution &solution, const Sample &rows);

}  // namespace dpadapt::evaluate
