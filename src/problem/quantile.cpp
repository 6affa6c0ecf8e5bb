#include "problem/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/control.hpp"

namespace dpadapt {
namespace {

/** Long orderings are work, too. */
bool is_less(double a, double b, unsigned &compared) {
    constexpr unsigned kOften = 1U << 16U;
    if (++compared % kOften == 0) count_work(kOften);
    return a < b;
}

}  // namespace

double quantile(std::vector<double> values, double level) {
    const double position = std::ceil(level * static_cast<double>(values.size())) - 1.0;
    const auto rank = static_cast<std::ptrdiff_t>(std::max(0.0, position));
    unsigned compared = 0;
    std::nth_element(values.begin(), values.begin() + rank, values.end(),
                     [&](double a, double b) { return is_less(a, b, compared); });
    return values[static_cast<std::size_t>(rank)];
}

double quantile(std::vector<double> values, const std::vector<double> &relative, double level) {
    constexpr double kRounding = 1e-12;
    if (relative.empty()) return quantile(std::move(values), level);
    unsigned compared = 0;
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return is_less(values[a], values[b], compared);
    });
    const double wanted = (level - kRounding) * static_cast<double>(values.size());
    double seen = 0.0;
    for (const std::size_t i : order)
        if ((seen += relative[i]) >= wanted && relative[i] > 0.0) return values[i];
    return values[order.back()];
}

}  // namespace dpadapt
