#pragma once

#include <span>
#include <vector>

#include "evaluate/evaluation.hpp"
#include "linalg/arma.hpp"
#include "records/error_terms.hpp"

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

/** Two classes by bins of the log odds, for comparison: public, or released. */
class Reference {
  public:
    /** Shares of the counts, of which none is negative. */
    Reference(std::vector<double> negative, std::vector<double> positive);

    /** What rows add to the area (records::ErrorTask). */
    [[nodiscard]] arma::vec areas() const;

    /** Area under its own ROC curve, where ties count half. */
    [[nodiscard]] double area() const;

    /** Its shares in the bins that the edges divide. */
    [[nodiscard]] BinCounts between(std::span<const double> edges) const;

  private:
    std::vector<double> negative_;
    std::vector<double> positive_;
};

/** What is known of the area of an unknown population, besides its bins. */
struct AreaSums {
    double positives = 0.0;  ///< rows
    double negatives = 0.0;
    double of_positives = 0.0;  ///< sums of what they add
    double of_negatives = 0.0;
    double rows_noise = 0.0;  ///< standard deviation of the noise of the number of positives
    double noise = 0.0;       ///< of each sum
};

/** Area under the ROC curve. With distributions F of the negative, G of the positive rows and F0,
 *  G0 of the reference it is the integral of F dG = F0 dG + F dG0 - F0 dG0 + (F - F0) d(G - G0):
 *  the first two are the sums, and the bins are needed only for the last one, which is small. */
[[nodiscard]] Interval roc_area(const AreaSums &sums, const BinCounts &counts,
                                const Reference &reference, std::span<const double> edges,
                                double confidence);

/** A number of each row, and its weight. */
struct Weighted {
    double value;
    double weight;
};

/** sum w x / sum w, and its variance as a ratio: sum w^2 (x - mean)^2 / (sum w)^2, with n/(n - 1)
 *  of the effective number n = (sum w)^2 / sum w^2 of rows; infinite where that is 1. */
struct WeightedMean {
    double value = 0.0;
    double variance = 0.0;
    double rows = 0.0;  ///< effective
};
[[nodiscard]] WeightedMean weighted_mean(std::span<const Weighted> rows);

/** The same from log odds themselves: the Mann-Whitney statistic with DeLong's variance. */
[[nodiscard]] Interval roc_area(const std::vector<Weighted> &negative,
                                const std::vector<Weighted> &positive, double confidence);

/** Scores, then labels, of at most so many of the rows that have an error. */
[[nodiscard]] std::vector<double> concordance_rows(std::span<const RowError> errors,
                                                   std::size_t most);

/** Harrell's C: of the pairs of rows of which one has an event before the other's time, the share
 *  in which that one has the larger score; equal scores are half of that. Its variance is that of
 *  the rows' own parts (Hoeffding's projection). */
[[nodiscard]] Interval concordance(std::span<const RowError> errors, double confidence);

/** What is released of pairs of private rows P with reference rows Q, both orders counted, and of
 *  the share of P in each cell; with the deviations of their noise. */
struct PairMeans {
    records::PairShares mean;
    double noise = 0.0;
    std::vector<double> cells;
    double cells_noise = 0.0;
};

/** The same of such rows. A share of pairs of P is that of pairs of P with Q, less that of Q with
 *  itself, and a term of second order in P - Q, for which the cells suffice. The sampling variance
 *  is that of Q's rows. */
[[nodiscard]] Interval concordance(const PairMeans &pairs, std::span<const double> reference,
                                   std::span<const double> edges, std::size_t rows,
                                   double confidence);

/** One line for each bin. */
[[nodiscard]] std::vector<CalibrationBin> calibration(std::size_t solution, const BinCounts &counts,
                                                      std::span<const double> edges,
                                                      double confidence);

}  // namespace dpadapt::evaluate
