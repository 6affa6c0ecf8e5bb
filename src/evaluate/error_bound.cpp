#include "evaluate/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/quantile.hpp"
#include "solution/errors.hpp"

namespace dpadapt::evaluate {

double widened(std::vector<double> sizes, double level) {
    constexpr double kRoom = 1.6;
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    if (sizes.empty()) return kUnknown;
    const double bound = kRoom * quantile(std::move(sizes), level);
    return bound > 0.0 && std::isfinite(bound) ? bound : kUnknown;
}

double error_bound(const Solution &solution, const Sample &rows, double level) {
    constexpr std::size_t kMost = 20000;
    std::vector<double> sizes;
    for (const RowError &error :
         row_errors(solution, rows.evenly_drawn(kMost), Evaluation::in_blocks))
        if (error.size) sizes.push_back(*error.size);
    return widened(std::move(sizes), level);
}

}  // namespace dpadapt::evaluate
