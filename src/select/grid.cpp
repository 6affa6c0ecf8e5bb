#include "select/grid.hpp"

#include <numeric>

#include "base/error.hpp"

namespace dpadapt::select {

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

std::vector<std::uint64_t> Grid::points() const {
    constexpr std::uint64_t kMostListed = std::uint64_t{1} << 20;
    if (size_ > kMostListed) throw Error(DPA_E_OVERFLOW, "more than 2^20 candidates");
    std::vector<std::uint64_t> all(size_);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
}

std::vector<std::size_t> Grid::places(std::uint64_t point) const {
    std::vector<std::size_t> places(axes_.size());
    for (std::size_t k = axes_.size(); k-- > 0; point /= axes_[k].values.size())
        places[k] = static_cast<std::size_t>(point % axes_[k].values.size());
    return places;
}

}  // namespace dpadapt::select
