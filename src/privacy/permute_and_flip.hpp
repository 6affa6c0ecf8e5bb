#pragma once

#include <cstdint>
#include <span>

#include "privacy/release.hpp"
#include "random/stream.hpp"

namespace dpadapt::privacy {

/** Q: what replacing a record can change a score by. */
constexpr int kScoreBits = 30;
constexpr std::int64_t kMostScore = std::int64_t{1} << kScoreBits;

/** A record's part in a score, in [0, Q]: trunc(Q loss / bound), and Q for a loss beyond the bound
 *  or not a number. */
[[nodiscard]] std::int64_t clipped_score(double loss, double bound);

/** The release of the index of a candidate at the price epsilon, rounded down to 2^-40. A score is
 *  the sum of clipped_score over the records. Throws Error(DPA_E_OPTION) when nothing is left of
 *  epsilon. */
[[nodiscard]] Release plan_selection(double epsilon, double bound, std::size_t candidates,
                                     Domains domains, Neighbours neighbours = Neighbours::replace);

/** Index of a candidate of small score: permute-and-flip (McKenna and Sheldon, NeurIPS 2020),
 *  exactly.
 *
 *  In random order each candidate throws a coin, heads with probability exp(-epsilon (score -
 *  least)/(2 Q)); the first with heads is chosen. That is a uniform choice among all whose coins
 *  are heads, and is computed so. Neighbours, whose scores differ by at most Q each, give every
 *  index a probability that differs by a factor e^epsilon at most. Where a record is taken out, no
 *  score grows, so two of them move apart by Q, not by 2 Q: then Q stands for 2 Q above. */
[[nodiscard]] std::size_t permute_and_flip(std::span<const std::int64_t> scores,
                                           const Release &release, random::Stream &stream);

// In place of the platform's functions, whose errors nobody promises: IEEE arithmetic alone decides
// what these return. Relative error below 2^-51, for x in [-700, 700]; below that 0 or nearly so.

[[nodiscard]] double exponential(double x) noexcept;

/** e^x - 1. */
[[nodiscard]] double exponential_minus_one(double x) noexcept;

}  // namespace dpadapt::privacy
