#include "problem/persons.hpp"

#include <algorithm>
#include <numeric>

namespace dpadapt {

Persons::Persons(std::span<const std::int64_t> ids) : order_(ids.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return ids[a] < ids[b]; });
    for (std::size_t k = 0; k < order_.size(); ++k)
        if (k == 0 || ids[order_[k]] != ids[order_[k - 1]]) first_.push_back(k);
    count_ = first_.size();
    first_.push_back(order_.size());
}

Persons Persons::elsewhere(std::size_t count) {
    Persons persons;
    persons.count_ = count;
    return persons;
}

}  // namespace dpadapt
