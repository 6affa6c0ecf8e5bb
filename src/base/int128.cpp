#include "base/int128.hpp"

#include <cmath>

namespace dpadapt {

std::uint64_t ceil_sqrt(Uint128 value) {
    // The floating-point root is within a few units; the loops make it exact.
    auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(value)));
    while (root > 0 && Uint128{root - 1} * (root - 1) >= value) --root;
    while (Uint128{root} * root < value) ++root;
    return root;
}

std::uint64_t floor_sqrt(Uint128 value) {
    const std::uint64_t root = ceil_sqrt(value);
    return Uint128{root} * root > value ? root - 1 : root;
}

}  // namespace dpadapt
