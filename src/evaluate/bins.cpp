#include "evaluate/bins.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dpadapt::evaluate {
namespace {

double sum(const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

double probability(double log_odds) { return 1.0 / (1.0 + std::exp(-log_odds)); }

/** Of each bin, the share of the counts below it and of half its own. */
std::vector<double> shares_below(const std::vector<double> &counts) {
    const double total = sum(counts);
    std::vector<double> shares;
    double below = 0.0;
    for (const double count : counts) {
        shares.push_back((below + 0.5 * count) / total);
        below += count;
    }
    return shares;
}

std::vector<double> merged_pairs(const std::vector<double> &counts) {
    std::vector<double> pairs;
    for (std::size_t k = 0; k + 1 < counts.size(); k += 2)
        pairs.push_back(counts[k] + counts[k + 1]);
    return pairs;
}

/** The area where ties count half, and its slope by every count. */
struct Area {
    double value = 0.0;
    std::vector<double> by_negative;
    std::vector<double> by_positive;
};

Area area_with_ties(const std::vector<double> &negative, const std::vector<double> &positive) {
    Area area;
    const std::vector<double> below = shares_below(negative);
    const std::vector<double> above = shares_below(positive);
    const double negatives = sum(negative);
    const double positives = sum(positive);
    for (std::size_t b = 0; b < positive.size(); ++b)
        area.value += positive[b] / positives * below[b];
    for (std::size_t b = 0; b < positive.size(); ++b) {
        area.by_positive.push_back((below[b] - area.value) / positives);
        area.by_negative.push_back((1.0 - above[b] - area.value) / negatives);
    }
    return area;
}

/** Its error falls with the square of the bins' width: (4 fine - coarse)/3 has none of that. */
Area corrected_area(const BinCounts &counts) {
    Area fine = area_with_ties(counts.negative, counts.positive);
    const Area coarse =
        area_with_ties(merged_pairs(counts.negative), merged_pairs(counts.positive));
    fine.value = (4.0 * fine.value - coarse.value) / 3.0;
    for (std::size_t b = 0; b < fine.by_positive.size(); ++b) {
        fine.by_positive[b] = (4.0 * fine.by_positive[b] - coarse.by_positive[b / 2]) / 3.0;
        fine.by_negative[b] = (4.0 * fine.by_negative[b] - coarse.by_negative[b / 2]) / 3.0;
    }
    return fine;
}

double square_sum(const std::vector<double> &values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/** Variance over the rows of one class of their share of the other one. */
double variance(const std::vector<double> &counts, const std::vector<double> &shares) {
    double total = 0.0;
    double mean = 0.0;
    double square = 0.0;
    for (std::size_t b = 0; b < counts.size(); ++b) {
        const double count = std::max(counts[b], 0.0);
        total += count;
        mean += count * shares[b];
        square += count * shares[b] * shares[b];
    }
    return total > 0.0 ? std::max(square / total - mean * mean / (total * total), 0.0) : 0.25;
}

}  // namespace

std::vector<double> equal_parts(std::span<const double> counts, std::span<const double> upper) {
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    std::vector<double> edges;
    double below = 0.0;
    for (std::size_t b = 0; b < counts.size(); ++b) {
        const double width = b > 0 ? upper[b] - upper[b - 1] : upper[1] - upper[0];
        while (edges.size() + 1 < kBins) {
            const double wanted = total * static_cast<double>(edges.size() + 1) / kBins;
            if (!(below + counts[b] >= wanted) || counts[b] <= 0.0) break;
            edges.push_back(upper[b] - width * (below + counts[b] - wanted) / counts[b]);
        }
        below += counts[b];
    }
    edges.resize(kBins - 1, upper.back());
    return edges;
}

std::vector<double> equal_parts(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    std::vector<double> edges;
    for (std::size_t k = 1; k < kBins; ++k) edges.push_back(values[k * values.size() / kBins]);
    return edges;
}

Interval roc_area(const BinCounts &counts, double confidence) {
    const double negatives = sum(counts.negative);
    const double positives = sum(counts.positive);
    const double least = std::max(1.0, 4.0 * counts.noise);
    if (!(negatives > least && positives > least)) return {0.5, 0.0, 1.0};
    const Area area = corrected_area(counts);
    const double sampling = variance(counts.positive, shares_below(counts.negative)) / positives +
                            variance(counts.negative, shares_below(counts.positive)) / negatives;
    const double noise =
        counts.noise * counts.noise * (square_sum(area.by_positive) + square_sum(area.by_negative));
    return interval(area.value, std::sqrt(sampling + noise), 0.0, 1.0, confidence);
}

Interval roc_area(const std::vector<double> &negative, const std::vector<double> &positive,
                  double confidence) {
    if (negative.empty() || positive.empty()) return {NAN, 0.0, 1.0};
    // The share of the others that is below, with half of those that are equal.
    const auto shares = [](const std::vector<double> &own, std::vector<double> others) {
        std::sort(others.begin(), others.end());
        std::vector<double> list;
        for (const double value : own) {
            const auto [from, to] = std::equal_range(others.begin(), others.end(), value);
            list.push_back((0.5 * static_cast<double>(from - others.begin()) +
                            0.5 * static_cast<double>(to - others.begin())) /
                           static_cast<double>(others.size()));
        }
        return list;
    };
    const auto part = [](const std::vector<double> &list) {
        const double n = static_cast<double>(list.size());
        const double mean = sum(list) / n;
        double squares = 0.0;
        for (const double value : list) squares += (value - mean) * (value - mean);
        return list.size() > 1 ? squares / (n - 1.0) / n : 0.25;
    };
    const std::vector<double> of_positive = shares(positive, negative);
    const double deviation = std::sqrt(part(of_positive) + part(shares(negative, positive)));
    return interval(sum(of_positive) / static_cast<double>(of_positive.size()), deviation, 0.0, 1.0,
                    confidence);
}

std::vector<CalibrationBin> calibration(std::size_t solution, const BinCounts &counts,
                                        std::span<const double> edges, double confidence) {
    std::vector<CalibrationBin> bins;
    for (std::size_t b = 0; b < counts.positive.size(); ++b) {
        CalibrationBin bin{solution,
                           b == 0 ? 0.0 : probability(edges[b - 1]),
                           b == edges.size() ? 1.0 : probability(edges[b]),
                           counts.negative[b] + counts.positive[b],
                           {NAN, 0.0, 1.0}};
        if (bin.rows > std::max(0.0, 4.0 * counts.noise)) {
            const double share = std::clamp(counts.positive[b] / bin.rows, 0.0, 1.0);
            const double noise = counts.noise * std::hypot(share, 1.0 - share) / bin.rows;
            const double sampling = share * (1.0 - share) / bin.rows;
            bin.positive =
                interval(share, std::sqrt(noise * noise + sampling), 0.0, 1.0, confidence);
        }
        bins.push_back(bin);
    }
    return bins;
}

}  // namespace dpadapt::evaluate
