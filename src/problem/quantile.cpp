#include "problem/quantile.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt {

double quantile(std::vector<double> values, double level) {
    const double position = std::ceil(level * static_cast<double>(values.size())) - 1.0;
    const auto rank = static_cast<std::ptrdiff_t>(std::max(0.0, position));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[static_cast<std::size_t>(rank)];
}

}  // namespace dpadapt
