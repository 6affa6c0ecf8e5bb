#include "loss/hidden_layers.hpp"

#include <algorithm>

#include "loss/elementary.hpp"

namespace dpadapt::loss {

std::size_t HiddenLayers::parameters(std::size_t inputs) const {
    std::size_t count = 0;
    for (const std::size_t of_layer : units) {
        count += inputs * of_layer;
        inputs = of_layer + 1;
    }
    return count;
}

void HiddenUnits::operator()(std::span<const double> row, double *out) {
    from_.assign(row.begin(), row.end());
    const double *weight = layers_.weights.memptr();
    for (const std::size_t units : layers_.units) {
        to_.assign(units + 1, 1.0);
        for (std::size_t u = 0; u < units; ++u) {
            double sum = 0.0;
            for (const double value : from_) sum += *weight++ * value;
            to_[u] = sum;
        }
        tanh(units, to_.data(), to_.data());
        from_.swap(to_);
    }
    std::copy(from_.begin(), from_.end(), out);
}

}  // namespace dpadapt::loss
