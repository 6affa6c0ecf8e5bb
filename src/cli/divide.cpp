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

/** Moves the rows that are taken into a sample of their own. */
Sample move_rows(Sample &sample, const std::vector<bool> &taken) {
    const std::size_t rows = sample.y.size();
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
    return move_rows(sample, draw(rows, count, seed));
}

Sample hold_out(Sample &sample, double share) {
    std::mt19937_64 random;  // one number a row, the same on every platform
    std::vector<bool> taken;
    for (std::size_t i = 0; i < sample.y.size(); ++i)
        taken.push_back(static_cast<double>(random() >> 11) * 0x1p-53 < share);
    const auto count = static_cast<std::size_t>(std::count(taken.begin(), taken.end(), true));
    if (count == 0 || count == taken.size())
        throw Failure(kUsage,
                      "--holdout leaves no row to evaluate or none to fit: the target has " +
                          std::to_string(taken.size()));
    return move_rows(sample, taken);
}

}  // namespace dpadapt::cli
