#include "loss/votes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "linalg/kernels.hpp"

namespace dpadapt::loss {

void Votes::evaluate(const Block & /*block*/, std::span<const double> /*theta*/,
                     std::span<double> /*losses*/, std::span<double> /*gradients*/) const {
    throw Error(DPA_E_UNSUPPORTED, "a vote of classifiers has no gradient");
}

Bounds Votes::bounds(const Range & /*range*/) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {kInfinity, kInfinity, kInfinity};
}

void Votes::scores(const Block &block, std::span<const double> theta,
                   std::span<double> scores) const {
    const linalg::MatrixView x{block.x, block.rows, block.features, block.features, true};
    std::vector<double> product(block.rows);
    std::fill(scores.begin(), scores.end(), 0.0);
    for (std::size_t k = 0; k < classifiers_; ++k) {
        const double *beta = theta.data() + k * (block.features + 1);
        linalg::row_products(x, beta + 1, 0, block.rows, product.data());
        for (std::size_t i = 0; i < block.rows; ++i)
            scores[i] += std::isnan(product[i]) ? product[i] : product[i] < 0.0 ? -*beta : *beta;
    }
}

}  // namespace dpadapt::loss
