#include "evaluate/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/quantile.hpp"
#include "solution/errors.hpp"

namespace dpadapt::evaluate {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/** How many numbers a fit chooses for each score. */
std::size_t free_numbers(const Solution &solution) {
    return solution.parameters.empty() ? solution.dimension() + 1 : solution.parameters.size();
}

}  // namespace

double left_out_factor(const Solution &solution, std::size_t rows) {
    constexpr double kMostShare = 0.75;
    const double each = loss::predicts_classes(solution.loss) ? 2.0 : 1.0;
    const double share =
        each * static_cast<double>(free_numbers(solution)) / static_cast<double>(rows);
    return share <= kMostShare ? 1.0 / (1.0 - share) : kUnknown;  // of no row: infinite
}

double widened(std::vector<double> sizes, double level) {
    constexpr double kRoom = 1.6;
    if (sizes.empty()) return kUnknown;
    const double bound = kRoom * quantile(std::move(sizes), level);
    if (!(bound > 0.0 && std::isfinite(bound))) return kUnknown;
    return bound;
}

bool is_credible(double bound, const Solution &solution, const Sample &rows) {
    constexpr double kLeast = 1e-6;
    if (!std::isfinite(bound)) return false;
    if (loss::predicts_classes(solution.loss)) return bound > kLeast;
    double lowest = kUnknown;
    double highest = -kUnknown;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        lowest = std::fmin(lowest, rows.y()[i]);
        highest = std::fmax(highest, rows.y()[i]);
    }
    return highest > lowest && bound > kLeast * (highest - lowest);
}

double error_bound(const Solution &solution, const Sample &rows) {
    constexpr std::size_t kMost = 20000;
    const Sample drawn = rows.evenly_drawn(kMost);
    std::vector<double> sizes;
    for (const RowError &error : row_errors(solution, drawn, Evaluation::in_blocks))
        if (error.size) sizes.push_back(*error.size);
    const double factor = left_out_factor(
        solution, sizes.size() * std::max<std::size_t>(
                                     rows.rows() / std::max<std::size_t>(drawn.rows(), 1), 1));
    const double bound = factor * widened(std::move(sizes), kErrorLevel);
    if (!is_credible(bound, solution, drawn)) return kUnknown;
    return bound;
}

}  // namespace dpadapt::evaluate
