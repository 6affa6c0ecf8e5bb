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

Sample move_rows(Sample &sample, const std::vector<bool> &taken) {
    if (!sample.groups.empty())
        throw Failure(kUsage,
                      "with --group rows are not divided, because a person would be in both parts: "
                      "give a file of its own");
    const std::size_t rows = sample.y.size();
    const std::size_t cols = sample.x.size() / rows;
    Sample kept{sample.is_private, {}, {}, {}};
    Sample rest = kept;
    for (std::size_t i = 0; i < rows; ++i) {
        Sample &to = taken[i] ? rest : kept;
        const auto row = sample.x.begin() + static_cast<std::ptrdiff_t>(i * cols);
        to.x.insert(to.x.end(), row, row + static_cast<std::ptrdiff_t>(cols));
        to.y.push_back(sample.y[i]);
        if (!sample.weights.empty()) to.weights.push_back(sample.weights[i]);
    }
    sample = std::move(kept);
    return rest;
}

Sample shuffled(const Sample &sample) {
    const std::size_t rows = sample.y.size();
    const auto cols = static_cast<std::ptrdiff_t>(rows == 0 ? 0 : sample.x.size() / rows);
    std::mt19937_64 random;
    std::vector<std::ptrdiff_t> order(rows);
    std::iota(order.begin(), order.end(), std::ptrdiff_t{0});
    for (std::size_t i = 0; i < rows; ++i) std::swap(order[i], order[i + random() % (rows - i)]);
    Sample result{sample.is_private, {}, {}, {}};
    for (const std::ptrdiff_t row : order) {
        const auto x = sample.x.begin() + row * cols;
        result.x.insert(result.x.end(), x, x + cols);
        result.y.push_back(sample.y[static_cast<std::size_t>(row)]);
        if (!sample.weights.empty())
            result.weights.push_back(sample.weights[static_cast<std::size_t>(row)]);
    }
    return result;
}

Sample divide(Sample &sample, double share, std::uint64_t seed, const std::string &flag) {
    const std::size_t rows = sample.y.size();
    const auto count = static_cast<std::size_t>(std::round(share * static_cast<double>(rows)));
    if (count == 0 || count >= rows) {
        throw Failure(kUsage, flag + " leaves no row for " +
                                  (flag == "--validation-share" ? "validation" : "the target") +
                                  " or none to fit: there are " + std::to_string(rows));
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
