#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privacy/release.hpp"
#include "random/key.hpp"

namespace dpadapt::privacy {

/** What a teacher may answer to a query: one of so many classes, or a number in [low, high]. */
struct VoteRange {
    std::size_t classes = 0;  ///< 0: numbers
    double low = 0.0;
    double high = 0.0;
};

/** The release of the votes of all teachers on all queries. A private record, or a person, is in
 *  the shard of one teacher, who may answer all queries otherwise between neighbours. It does not
 *  matter whether the record is replaced or taken out: either makes another teacher. */
struct VoteGrid {
    VoteRange range;
    std::size_t teachers = 0;
    std::size_t queries = 0;
    int bits = 32;          ///< the noise is floor(2^bits Z)
    std::int64_t most = 0;  ///< u, the integer of a vote for a class, or of high; that of low is 0
    std::int64_t integer_sensitivity = 0;  ///< of all sums together

    [[nodiscard]] std::size_t coordinates() const;
    /** Of a grid step, in counted votes or in units of the mean. */
    [[nodiscard]] double unit() const;
    [[nodiscard]] Release release(Domains domains, Neighbours neighbours) const;
};

/** The finest grid whose release costs at most mu^2, in units of 2^-80. Throws Error(DPA_E_OPTION)
 *  where it would be too coarse. */
[[nodiscard]] VoteGrid plan_votes(Uint128 mu_square, const VoteRange &range, std::size_t teachers,
                                  std::size_t queries);

/** A grid for sums without noise. */
[[nodiscard]] VoteGrid public_votes(const VoteRange &range, std::size_t teachers,
                                    std::size_t queries);

/** Adds one teacher's answers, one a query. What is no class of 0, 1, .. is no vote; a number is
 *  clipped to the range, and one that is not a number counts as its middle. */
void add_votes(const VoteGrid &grid, std::span<const double> answers, std::span<std::int64_t> sums);

/** Noise for the coordinates of the release, to be drawn before an answer is read. */
void draw_noise(const VoteGrid &grid, const random::Key &key, std::size_t threads,
                std::span<std::int64_t> noise);

/** Counts of votes, query by query, or the mean answer to each: with this noise, or, if it is
 *  empty, without any. */
[[nodiscard]] std::vector<double> release_votes(const VoteGrid &grid,
                                                std::span<const std::int64_t> sums,
                                                std::span<const std::int64_t> noise,
                                                ReleaseTrace *trace = nullptr);

}  // namespace dpadapt::privacy
