#include "baseline/weights.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/splitmix.hpp"

namespace dpadapt::baseline {

std::vector<double> DensityRatio::values(const PreparedSample &rows, std::size_t threads) const {
    const std::size_t n = rows.rows();
    constexpr std::size_t kBlock = 4096;
    std::vector<double> result;
    Points block;
    for (std::size_t begin = 0; begin < n; begin += kBlock) {
        rows.fill(begin, std::min(n, begin + kBlock), block.columns);
        for (arma::uword i = 0; i < block.columns.n_cols; ++i) block.columns.col(i) -= origin;
        block.squares = arma::sum(arma::square(block.columns), 0).t();
        const arma::vec w = kernel_sums(block, centers, coefficients, gamma, threads);
        result.insert(result.end(), w.begin(), w.end());
    }
    return result;
}

Points draw_centers(const Points &target, std::size_t count, std::uint64_t seed) {
    SplitMix64 random(seed);
    const auto drawn = random.draw(target.size(), std::min(count, target.size()));
    return target.subset(
        arma::sort(arma::uvec(std::vector<arma::uword>(drawn.begin(), drawn.end()))));
}

std::vector<double> source_weights(const Points &source, const DensityRatio &ratio,
                                   std::size_t threads) {
    const arma::vec w =
        kernel_sums(source, ratio.centers, ratio.coefficients, ratio.gamma, threads);
    return record_weights(source, w % source.count);
}

}  // namespace dpadapt::baseline
