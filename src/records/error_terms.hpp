#pragma once

#include <span>
#include <vector>

#include "solution/findings.hpp"

/** What a record adds to the release of an evaluation: a vector of norm at most 1 that is made of
 *  terms. Each term lies in a ball of the radius of its weight, and the weights' squares add up to
 *  1. Losses are in units of their bound, so t, c and e below are in [0, 1]. */
namespace dpadapt::records {

struct ErrorTask;

enum class ErrorKind {
    /// of t = |residual|: (2 t^2 - 1, a (t - t^2), b (t^2 - t^4)): the last two vanish where the
    /// first one is longest, so that three means cost hardly more than one
    powers,
    pinball,   ///< of the pinball loss c: (2 c - 1, 4 (c - c^2))
    log_loss,  ///< the same of minus the log probability
    error,     ///< (2 e - 1), 1 for a wrong class
    clipped,   ///< the same of whether the size, or c, is beyond its bound
    label,     ///< the same of whether it is positive
    areas,     ///< of a positive row the first coordinate is its area, of a negative one the other
    /// of times: shares of the public rows with which the row is concordant, and discordant
    concordance,
    cells,  ///< of times one coordinate is 1: that of survival_cell
    bins,   ///< one coordinate is 1: bin of the log odds, and in the second half positive labels
    square_gap,     ///< (2 d^2 - 1) for the difference d of t^2 from that of the first solution
    absolute_gap,   ///< of t
    pinball_gap,    ///< of c
    log_gap,        ///< of c of the log loss
    error_gap,      ///< of e
    sizes,          ///< histogram of the largest size among the solutions
    pinball_sizes,  ///< of the largest pinball loss
    log_odds,       ///< histogram of the log odds, in the second half of positive labels
    scores          ///< of the rank of the score's bin (below)
};

/** Scores of a calibration are counted from the top. With E edges let j be the number of those
 *  above the score: coordinates k >= j of a record have the factor rank_factors()[k - j], in units
 *  that give all E of them norm 1. The factors f are the coefficients of (1 - x)^(-1/2), so
 *  sum_(k <= i) f[i - k] times the coordinates k is the number of records with j <= i: each of
 *  these numbers has noise that grows with log E, where a sum over E noisy counts has sqrt(E). */
[[nodiscard]] std::span<const double> rank_factors();

/** sqrt(f[0]^2 + .. + f[count - 1]^2). */
[[nodiscard]] double rank_norm(std::size_t count);

/** Most edges of scores, or of log odds. */
constexpr std::size_t kMostEdges = 500;

/** How far a row is from what the solution predicts: the signed residual for quantiles, else the
 *  size of its error; infinite where it has none. */
[[nodiscard]] double calibration_score(const RowError &error, const Solution &solution);

/** Factors a and b of powers: (2 t^2 - 1)^2 + a^2 (t - t^2)^2 + b^2 (t^2 - t^4)^2 <= 1. */
constexpr double kFirstPower = 1.4142;
constexpr double kFourthPower = 3.8;

/** Of the pairs of a row and each reference row, the share in which the one with the earlier event
 *  has the larger score, and that in which it has the smaller one; equal scores are half of each.
 *  Both together are at most 1.
 *  @param reference  Scores, then labels, of at most kMostReferences rows. */
struct PairShares {
    double concordant = 0.0;
    double discordant = 0.0;
};
[[nodiscard]] PairShares pair_shares(std::span<const double> reference, const RowError &row);
constexpr std::size_t kMostReferences = 500;  ///< docs/defaults.md

/** In which cell a row lies, of kScoreCells by its score, in each kTimeCells by its time, in each
 *  two, without an event and with one.
 *  @param edges  kScoreCells - 1 of scores, then kTimeCells - 1 of times, both sorted. */
[[nodiscard]] std::size_t survival_cell(std::span<const double> edges, const RowError &row);
constexpr std::size_t kScoreCells = 4;
constexpr std::size_t kTimeCells = 8;
constexpr std::size_t kSurvivalCells = kScoreCells * kTimeCells * 2;

/** Sizes by half octaves from 2^-32 to 2^32. */
constexpr std::size_t kSizeBins = 128;
[[nodiscard]] double upper_size(std::size_t bin);

/** Log odds by quarters from -8 to 8. */
constexpr std::size_t kOddsBins = 64;
constexpr double kOddsWidth = 0.25;
[[nodiscard]] double upper_log_odds(std::size_t bin);

struct ErrorTerm {
    ErrorKind kind;
    std::size_t solution;
    double weight;
    std::size_t first;  ///< of its coordinates
    std::size_t count;
};

/** The terms of a task, in the order of their coordinates. */
[[nodiscard]] std::vector<ErrorTerm> error_terms(const ErrorTask &task);

/** Coordinates of all of them. */
[[nodiscard]] std::size_t error_dimension(const ErrorTask &task);

/** Which of the bins that these edges divide holds the value. */
[[nodiscard]] std::size_t bin_of(double value, std::span<const double> edges);

/** Which bin of the histogram of log odds. */
[[nodiscard]] std::size_t odds_bin(double log_odds);

/** Pinball loss of a row's residual; infinite where it has none. */
[[nodiscard]] double pinball_loss(const RowError &error, double level);

/** Writes the contribution of one record, of which `errors` are those of all solutions. */
void write_errors(const ErrorTask &task, std::span<const ErrorTerm> terms,
                  std::span<const RowError> errors, std::span<double> out);

}  // namespace dpadapt::records
