#include "loss/loss.hpp"

namespace dpadapt::loss {

std::vector<double> Loss::start(std::size_t features, std::uint64_t /*seed*/) const {
    return std::vector<double>(parameters(features), 0.0);
}

void Loss::add_gradients(const Block &block, std::span<const double> theta,
                         std::span<double> losses, const Weights &weights,
                         std::span<double> sum) const {
    std::vector<double> gradients(block.rows * theta.size());
    evaluate(block, theta, losses, gradients);
    const double *weight = weights(losses);
    const double *g = gradients.data();
    for (std::size_t i = 0; i < block.rows; ++i)
        for (double &total : sum) total += weight[i] * *g++;
}

}  // namespace dpadapt::loss
