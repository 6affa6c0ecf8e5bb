#include "privacy/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace dpadapt::privacy {
namespace {

constexpr std::int64_t kMostInteger = std::int64_t{1} << 53;  // integers that a double still holds
constexpr std::int64_t kLeastLength = std::int64_t{1} << 9;   // as of the others
constexpr std::int64_t kMostLength = std::int64_t{1} << 30;   // so that products fit 64 bits

}  // namespace

std::int64_t plan_sensitivity(Uint128 mu_square, int bits) {
    return static_cast<std::int64_t>(floor_sqrt(mu_square >> (80 - 2 * bits)));
}

VectorGrid plan_grid(Uint128 mu_square, double clip, int bits, Neighbours neighbours) {
    // mutant: sensitivity_rounded_up
    const std::int64_t most = plan_sensitivity(mu_square, bits) / norms_moved(neighbours);
    if (most < kLeastInteger || most >= kMostInteger)
        throw Error(DPA_E_OPTION,
                    "the privacy budget of one release is out of the range of the integer grid: "
                    "Q = " +
                        std::to_string(most));
    const auto divisor = static_cast<double>(most);
    VectorGrid grid{bits, most, clip / divisor};
    if (std::fma(grid.gamma, divisor, -clip) < 0.0)
        grid.gamma = std::nextafter(grid.gamma, std::numeric_limits<double>::infinity());
    return grid;
}

VectorGrid plan_fitting_grid(Uint128 mu_square, double clip, int bits, std::uint64_t records,
                             Neighbours neighbours) {
    while (bits > kLeastBits && !sum_fits(records, plan_sensitivity(mu_square, bits))) --bits;
    return plan_grid(mu_square, clip, bits, neighbours);
}

std::int64_t OuterGrid::integer_sensitivity(Neighbours neighbours) const {
    const auto square = static_cast<Uint128>(Int128{length} * length) * kOnDiagonal;
    if (neighbours == Neighbours::zero_out) return static_cast<std::int64_t>(square);
    // 2 square^2 may be beyond 128 bits: the root of 2, rounded up to 2^-32, is not.
    // mutant: root_of_two_forgotten
    constexpr Uint128 kRootOfTwo = 6074001001;  // ceil(2^32 sqrt(2))
    return static_cast<std::int64_t>((square * kRootOfTwo >> 32) + 1);
}

double OuterGrid::deviation() const {
    const auto square = static_cast<double>(length) * static_cast<double>(length);
    return std::ldexp(1.0, bits) / (square * static_cast<double>(kOnDiagonal));
}

std::optional<OuterGrid> plan_outer_grid(Uint128 mu_square, std::uint64_t records,
                                         Neighbours neighbours) {
    constexpr int kMostBits = 40;
    for (int bits = kMostBits; bits >= 24; --bits) {
        const std::int64_t allowed = plan_sensitivity(mu_square, bits);
        const double of_unit_length = neighbours == Neighbours::zero_out ? 128.0 : 181.0;
        OuterGrid grid{bits,
                       std::min(kMostLength, static_cast<std::int64_t>(std::sqrt(
                                                 static_cast<double>(allowed) / of_unit_length)))};
        while (grid.length > 0 && grid.integer_sensitivity(neighbours) > allowed) --grid.length;
        if (grid.length >= kLeastLength && sum_fits(records, grid.length * grid.length))
            return grid;
    }
    return std::nullopt;
}

}  // namespace dpadapt::privacy
