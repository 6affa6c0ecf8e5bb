#pragma once

#include <span>
#include <vector>

#include "evaluate/evaluation.hpp"

namespace dpadapt::evaluate {

/** In how many bins of the log odds rows are counted: even. */
constexpr std::size_t kBins = 12;

/** Counts of rows by bins of the log odds, ascending. */
struct BinCounts {
    std::vector<double> negative;
    std::vector<double> positive;
    double noise = 0.0;  ///< standard deviation of the noise of each count
};

/** Edges that divide a histogram into kBins parts with about as many rows each.
 *  @param upper  Upper ends of the histogram's bins; the first one's lower end is as far below. */
[[nodiscard]] std::vector<double> equal_parts(std::span<const double> counts,
                                              std::span<const double> upper);

/** Edges for numbers that are there. */
[[nodiscard]] std::vector<double> equal_parts(std::vector<double> values);

/** Area under the ROC curve from bins, corrected for their width by comparing with bins twice as
 *  wide. */
[[nodiscard]] Interval roc_area(const BinCounts &counts, double confidence);

/** The same from log odds themselves: the Mann-Whitney statistic with DeLong's variance. */
[[nodiscard]] Interval roc_area(const std::vector<double> &negative,
                                const std::vector<double> &positive, double confidence);

/** One line for each bin. */
[[nodiscard]] std::vector<CalibrationBin> calibration(std::size_t solution, const BinCounts &counts,
                                                      std::span<const double> edges,
                                                      double confidence);

}  // namespace dpadapt::evaluate
