#pragma once

#include "evaluate/interval.hpp"

namespace dpadapt::evaluate {

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

/** Above which share of clipped rows nothing is known of a heavy tail, and a report says so. */
constexpr double kManyClipped = 0.01;

}  // namespace dpadapt::evaluate
