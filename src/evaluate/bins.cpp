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

/** Made to shares of their sum. */
std::vector<double> normalized(std::vector<double> counts) {
    const double total = sum(counts);
    for (double &count : counts)
        count = total > 0.0 ? count / total : 1.0 / static_cast<double>(counts.size());
    return counts;
}

/** Integral of the first distribution by the second, where ties count half. */
double area_between(const std::vector<double> &below, const std::vector<double> &shares) {
    return std::inner_product(below.begin(), below.end(), shares.begin(), 0.0);
}

double norm(const std::vector<double> &values) {
    return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

std::vector<double> differences(std::vector<double> a, const std::vector<double> &b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
    return a;
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
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

Reference::Reference(std::vector<double> negative, std::vector<double> positive)
    : negative_(normalized(std::move(negative))), positive_(normalized(std::move(positive))) {}

arma::vec Reference::areas() const {
    constexpr std::size_t kEnds = records::kOddsBins + 1;
    arma::vec areas(2 * kEnds);
    double below = 0.0;
    double above = 1.0;
    for (std::size_t b = 0; b < kEnds; ++b) {
        areas[b] = std::clamp(2.0 * below - 1.0, -1.0, 1.0);
        areas[kEnds + b] = std::clamp(2.0 * above - 1.0, -1.0, 1.0);
        if (b == records::kOddsBins) break;
        below += negative_[b];
        above -= positive_[b];
    }
    return areas;
}

double Reference::area() const { return area_between(shares_below(negative_), positive_); }

BinCounts Reference::between(std::span<const double> edges) const {
    BinCounts counts{std::vector<double>(edges.size() + 1), std::vector<double>(edges.size() + 1)};
    for (std::size_t b = 0; b < records::kOddsBins; ++b) {
        const double upper = records::upper_log_odds(b);
        // A bin's rows are spread evenly over it.
        constexpr int kParts = 16;
        for (int part = 0; part < kParts; ++part) {
            const double at = upper - records::kOddsWidth * (part + 0.5) / kParts;
            const std::size_t bin = records::bin_of(at, edges);
            counts.negative[bin] += negative_[b] / kParts;
            counts.positive[bin] += positive_[b] / kParts;
        }
    }
    return counts;
}

Interval roc_area(const AreaSums &sums, const BinCounts &counts, const Reference &reference,
                  std::span<const double> edges, double confidence) {
    const double p = sums.positives;
    const double n = sums.negatives;
    const double least = std::max(1.0, 4.0 * sums.rows_noise);
    if (!(p > least && n > least)) return {0.5, 0.0, 1.0};
    const double by_positives = 0.5 + 0.5 * sums.of_positives / p;
    const double by_negatives = 0.5 + 0.5 * sums.of_negatives / n;
    const BinCounts own{normalized(counts.negative), normalized(counts.positive)};
    const BinCounts other = reference.between(edges);
    const std::vector<double> by_f =
        differences(shares_below(own.negative), shares_below(other.negative));
    const std::vector<double> by_g =
        differences(shares_below(own.positive), shares_below(other.positive));
    const double rest = area_between(by_f, differences(own.positive, other.positive));
    const double of_rest = counts.noise * std::hypot(norm(by_f) / p, norm(by_g) / n);
    const double area = by_positives + by_negatives - reference.area() + rest;
    const double sampling = variance(counts.positive, shares_below(counts.negative)) / p +
                            variance(counts.negative, shares_below(counts.positive)) / n;
    const double of_sums = sums.noise * std::hypot(0.5 / p, 0.5 / n);
    const double of_rows = sums.rows_noise * ((by_positives - 0.5) / p - (by_negatives - 0.5) / n);
    const double noise = of_sums * of_sums + of_rows * of_rows + of_rest * of_rest;
    return interval(area, std::sqrt(sampling + noise), 0.0, 1.0, confidence);
}

WeightedMean weighted_mean(std::span<const Weighted> rows) {
    double total = 0.0;
    double squares = 0.0;
    double sum = 0.0;
    for (const auto &[value, weight] : rows) {
        total += weight;
        squares += weight * weight;
        sum += weight * value;
    }
    WeightedMean mean{sum / total, 0.0, total * total / squares};
    for (const auto &[value, weight] : rows)
        mean.variance += std::pow(weight * (value - mean.value), 2);
    mean.variance *= mean.rows / squares;
    mean.variance = mean.rows > 1.0 ? mean.variance / (mean.rows - 1.0) / mean.rows : HUGE_VAL;
    return mean;
}

Interval roc_area(const std::vector<Weighted> &negative, const std::vector<Weighted> &positive,
                  double confidence) {
    // The share of the others that is below, with half of those that are equal.
    const auto shares = [](const std::vector<Weighted> &own, std::vector<Weighted> others) {
        std::ranges::sort(others, {}, &Weighted::value);
        std::vector<double> below{0.0};
        for (const Weighted &other : others) below.push_back(below.back() + other.weight);
        std::vector<Weighted> list;
        for (const auto &[value, weight] : own) {
            const auto from = std::ranges::lower_bound(others, value, {}, &Weighted::value);
            const auto to = std::ranges::upper_bound(others, value, {}, &Weighted::value);
            const double share = 0.5 * below[static_cast<std::size_t>(from - others.begin())] +
                                 0.5 * below[static_cast<std::size_t>(to - others.begin())];
            list.push_back({share / below.back(), weight});
        }
        return weighted_mean(list);
    };
    const auto none = [](const Weighted &row) { return row.weight == 0.0; };
    if (std::ranges::all_of(negative, none) || std::ranges::all_of(positive, none))
        return {NAN, 0.0, 1.0};
    const auto part = [](const WeightedMean &mean) {
        return std::isfinite(mean.variance) ? mean.variance : 0.25;
    };
    const WeightedMean of_positive = shares(positive, negative);
    const double deviation = std::sqrt(part(of_positive) + part(shares(negative, positive)));
    return interval(of_positive.value, deviation, 0.0, 1.0, confidence);
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
        bin.rows = std::max(bin.rows, 0.0);  // where noise is larger
        bins.push_back(bin);
    }
    return bins;
}

}  // namespace dpadapt::evaluate
