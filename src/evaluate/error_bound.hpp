#pragma once

#include <cstddef>
#include <numbers>
#include <vector>

#include "problem/sample.hpp"
#include "solution/solution.hpp"

namespace dpadapt::evaluate {

inline constexpr double kRootOfHalf = 0.5 * std::numbers::sqrt2;

/** The quantile of public errors by which those of private rows are clipped, if a fit says it. */
constexpr double kErrorLevel = 0.99;

/** By what errors on rows that a solution may have been fitted to are multiplied, so that they are
 *  as large as those on other rows: 1/(1 - k/m) for k free numbers and m rows. A residual of least
 *  squares is 1 - leverage times that of a fit without its row, and the leverages' mean is k/m.
 *  Two classes can be told apart by chance up to m = 2 k, which therefore counts double. Infinite
 *  where k/m is above 3/4: such rows may be interpolated. */
[[nodiscard]] double left_out_factor(const Solution &solution, std::size_t rows);

/** By what the errors of private rows are clipped: the quantile of public ones, and room for those
 *  of another domain; infinite where that says nothing. */
[[nodiscard]] double widened(std::vector<double> sizes, double level);

/** Whether public errors of that size are usable: no smaller than a millionth of the range of
 *  the labels (of classes: than a millionth), as those of interpolated rows are. */
[[nodiscard]] bool is_credible(double bound, const Solution &solution, const Sample &rows);

/** The bound for a solution, by at most 20 000 of the public rows, evenly drawn. */
[[nodiscard]] double error_bound(const Solution &solution, const Sample &rows);

struct Interval {
    double estimate = 0.0;
    double lower = 0.0;
    double upper = 0.0;
};

/** A mean over rows, as it is known: with what noise, and with what variance of a row. */
struct Mean {
    double value = 0.0;
    double noise = 0.0;           ///< standard deviation of the noise of the value
    double variance = 0.0;        ///< of a row; may be negative where noise made it so
    double variance_noise = 0.0;  ///< standard deviation of the noise of the variance
    double low = 0.0;             ///< what no mean is below
    double high = 0.0;            ///< or above
};

/** z of a normal distribution such that |Z| <= z has that probability. */
[[nodiscard]] double two_sided_quantile(double confidence);

/** value +- z deviation, within its bounds. */
[[nodiscard]] Interval interval(double value, double deviation, double low, double high,
                                double confidence);

/** The mean of the population: noise and sampling together. The variance is taken one deviation of
 *  its noise too large: too small ones cost more coverage than too large ones add. */
[[nodiscard]] Interval interval(const Mean &mean, std::size_t rows, double confidence);

/** How losses beyond their bound are distributed, as far as nothing else is known: squares and
 *  absolute values of normal residuals, the same of residuals with heavy tails, which have
 *  Student's distribution with four degrees of freedom, or exponential losses. */
enum class Tail { squares, absolutes, heavy_squares, heavy_absolutes, exponential };

/** How much larger than the mean of clipped losses their own mean may be, all in units of the
 *  bound: what that tail hides if its clipped mean is the interval's upper end, or if its share of
 *  clipped rows is the upper end of that interval, whichever is less. Where the share's lower end
 *  is more than that and half of the interval's width can hold, the tail is heavier: below a
 *  hundredth its losses are then taken to be at most twice as large as the bound on average, and
 *  above it nothing is known, which is infinite. */
[[nodiscard]] double hidden_by_clips(const Interval &clipped_mean, const Interval &clipped_share,
                                     Tail tail);

/** Means of powers of clipped residuals, in units of the bound. */
struct Powers {
    double square = 0.0;
    double fourth = 0.0;
};

/** How much larger, as a part, their fourth power is than that of normal residuals with the same
 *  square, which are clipped as well: an interval, for the noise and for chance. */
struct Excess {
    double lower = 0.0;
    double upper = 0.0;
};

/** @param noise  Standard deviations of the noise of the two coordinates the powers are made of: of
 *                the square, and of the square without the fourth power. */
[[nodiscard]] Excess tail_excess(const Powers &powers, const Powers &noise, std::size_t rows);

/** What tells of a long tail. A learnt bound lies where noisy counts of the same rows end, so
 *  normal residuals are hardly beyond it. One that public rows decided does not lie too near. */
struct TailSigns {
    Excess excess;
    bool learnt = false;
    bool known = false;
};

/** How much a long tail may add to the mean of clipped squares (or of absolute values), in units of
 *  the bound. With Pareto's tail of index i a share s of clipped rows adds 2 s/(i - 2) to squares,
 *  s/(i - 1) to absolute values. The larger the excess, the smaller i, down to 3, which Student's
 *  distribution with three degrees of freedom has. A bound that noise put nearer to the middle than
 *  where a hundredth is left has more beyond it: as many times as that share may be larger.
 *  Infinite where many rows are clipped, unless their residuals look normal. */
[[nodiscard]] double hidden_by_long_tail(const Interval &clipped_mean,
                                         const Interval &clipped_share, const TailSigns &signs,
                                         bool squares);

/** Above which share of clipped rows nothing is known of a heavy tail, and a report says so. */
constexpr double kManyClipped = 0.01;

}  // namespace dpadapt::evaluate
