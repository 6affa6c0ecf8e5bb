#include "privacy/votes.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "privacy/grid.hpp"
#include "random/noise.hpp"

namespace dpadapt::privacy {
namespace {

/** Between neighbours the integers of one query move by at most so many u^2, squared and added: a
 *  vote leaves one class for another, or a number moves through the range. */
std::uint64_t squares_moved(const VoteRange &range) {
    // mutant: vote_moves_one_count
    return range.classes > 0 ? 2 : 1;
}

}  // namespace

std::size_t VoteGrid::coordinates() const {
    return queries * std::max<std::size_t>(range.classes, 1);
}

double VoteGrid::unit() const {
    const auto vote = static_cast<double>(most);
    if (range.classes > 0) return 1.0 / vote;
    return (range.high - range.low) / (vote * static_cast<double>(teachers));
}

Release VoteGrid::release(Domains domains, Neighbours neighbours) const {
    return {Mechanism::gaussian,
            ReleaseKind::votes,
            domains,
            1,
            coordinates(),
            bits,
            integer_sensitivity,
            unit(),
            0.0,
            neighbours};
}

VoteGrid plan_votes(Uint128 mu_square, const VoteRange &range, std::size_t teachers,
                    std::size_t queries) {
    VoteGrid grid{range, teachers, queries};
    const Uint128 moved = Uint128{queries} * squares_moved(range);
    for (grid.bits = 32;; --grid.bits) {
        const auto allowed = static_cast<Uint128>(plan_sensitivity(mu_square, grid.bits));
        grid.most = static_cast<std::int64_t>(floor_sqrt(allowed * allowed / moved));
        if (grid.bits == kLeastBits || sum_fits(teachers, grid.most)) break;
    }
    if (grid.most < kLeastInteger)
        throw Error(DPA_E_OPTION,
                    "the budget is too small for that many queries: their noise would be beyond "
                    "the integer grid");
    const auto vote = static_cast<Uint128>(grid.most);
    grid.integer_sensitivity = static_cast<std::int64_t>(ceil_sqrt(moved * vote * vote));
    return grid;
}

VoteGrid public_votes(const VoteRange &range, std::size_t teachers, std::size_t queries) {
    VoteGrid grid{range, teachers, queries};
    grid.most = std::int64_t{1} << 32;
    return grid;
}

void add_votes(const VoteGrid &grid, std::span<const double> answers,
               std::span<std::int64_t> sums) {
    const auto vote = static_cast<double>(grid.most);
    const auto &[classes, low, high] = grid.range;
    for (std::size_t j = 0; j < grid.queries; ++j) {
        const double answer = answers[j];
        if (classes > 0) {
            if (!(answer >= 0.0 && answer < static_cast<double>(classes))) continue;
            // mutant: vote_counted_twice
            if (answer == std::floor(answer))
                sums[j * classes + static_cast<std::size_t>(answer)] += grid.most;
            continue;
        }
        const double share = std::isnan(answer) ? 0.5 : (answer - low) / (high - low);
        // mutant: numbers_not_clipped
        const double within = std::clamp(share, 0.0, 1.0);
        sums[j] += std::min(static_cast<std::int64_t>(std::floor(within * vote + 0.5)), grid.most);
    }
}

void draw_noise(const VoteGrid &grid, const random::Key &key, std::size_t threads,
                std::span<std::int64_t> noise) {
    // mutant: votes_at_half_their_noise
    random::fill_with_noise(noise, random::normal, static_cast<unsigned>(grid.bits), key,
                            random::Purpose::votes, 0, threads);
}

std::vector<double> release_votes(const VoteGrid &grid, std::span<const std::int64_t> sums,
                                  std::span<const std::int64_t> noise, ReleaseTrace *trace) {
    const double low = grid.range.classes > 0 ? 0.0 : grid.range.low;
    std::vector<double> released(sums.size());
    for (std::size_t k = 0; k < sums.size(); ++k) {
        // Below 2^63: sums are at most 2^62, noise is far below 2^47.
        // mutant: noise_of_votes_halved
        const double value = noise.empty() ? static_cast<double>(sums[k])
                                           : static_cast<double>(sums[k] + noise[k]) + 0.5;
        released[k] = low + grid.unit() * value;
    }
    if (trace == nullptr) return released;
    return trace->on_release(random::Purpose::votes, 0, sums, std::move(released));
}

}  // namespace dpadapt::privacy
