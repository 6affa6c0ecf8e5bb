#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "cli/failure.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {
namespace {

/** Whether each row is taken: `count` of `rows`, the same on every platform. */
std::vector<bool> draw(std::size_t rows, std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<bool> taken(rows);
    for (std::size_t i = 0; i < count; ++i) {
        std::swap(order[i], order[i + random() % (rows - i)]);
        taken[order[i]] = true;
    }
    return taken;
}

}  // namespace

Sample divide(Sample &sample, double share, std::uint64_t seed) {
    const std::size_t rows = sample.y.size();
    const auto count = static_cast<std::size_t>(std::round(share * static_cast<double>(rows)));
    if (count == 0 || count >= rows) {
        throw Failure(kUsage,
                      "--validation-share leaves no row for validation or none to fit: the "
                      "target has " +
                          std::to_string(rows));
    }
    const std::vector<bool> taken = draw(rows, count, seed);
    const std::size_t cols = sample.x.size() / rows;
    Sample kept{sample.is_private, {}, {}, {}};
    Sample rest = kept;
    for (std::size_t i = 0; i < rows; ++i) {
        Sample &to = taken[i] ? rest : kept;
        const auto row = sample.x.begin() + static_cast<std::ptrdiff_t>(i * cols);
        to.x.insert(to.x.end(), row, row + static_cast<std::ptrdiff_t>(cols));
        to.y.push_back(sample.y[i]);
    }
    sample = std::move(kept);
    return rest;
}

}  // namespace dpadapt::cli
