#include "select/grid.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/splitmix.hpp"

namespace dpadapt::select {

namespace {

/** Uniform on 0 .. n - 1. */
std::uint64_t below(std::uint64_t n, SplitMix64 &random) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    for (;;) {
        const std::uint64_t drawn = random();
        if (drawn < most - most % n) return drawn % n;
    }
}

}  // namespace

void Grid::add(Axis axis) {
    constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 63;
    for (const Axis &other : axes_)
        if (other.name == axis.name)
            throw Error(DPA_E_OPTION, "option " + axis.name + " has its values already");
    if (axis.values.size() > (kMostPoints - 1) / size_)
        throw Error(DPA_E_OVERFLOW, "the grid would have 2^63 points or more");
    const std::uint64_t size = size_ * axis.values.size();
    axes_.push_back(std::move(axis));
    size_ = size;
}

void Grid::draw(std::uint64_t count, std::uint64_t seed) {
    if (count > size_)
        throw Error(DPA_E_INVALID_ARGUMENT, "count must be at most " + std::to_string(size_) +
                                                ", the points of the grid, but is " +
                                                std::to_string(count));
    drawn_ = count;
    seed_ = seed;
}

/** Floyd's sample: memory for what is drawn only. */
std::vector<std::uint64_t> Grid::points() const {
    constexpr std::uint64_t kMostListed = std::uint64_t{1} << 20;
    if (count() > kMostListed)
        throw Error(DPA_E_OVERFLOW, "more than 2^20 candidates: draw some of them");
    if (drawn_ == 0) {
        std::vector<std::uint64_t> all(size_);
        std::iota(all.begin(), all.end(), std::uint64_t{0});
        return all;
    }
    SplitMix64 random(seed_);
    std::set<std::uint64_t> drawn;
    for (std::uint64_t last = size_ - drawn_; last < size_; ++last)
        if (!drawn.insert(below(last + 1, random)).second) drawn.insert(last);
    return {drawn.begin(), drawn.end()};
}

std::vector<std::size_t> Grid::places(std::uint64_t point) const {
    std::vector<std::size_t> places(axes_.size());
    for (std::size_t k = axes_.size(); k-- > 0; point /= axes_[k].values.size())
        places[k] = static_cast<std::size_t>(point % axes_[k].values.size());
    return places;
}

}  // namespace dpadapt::select
