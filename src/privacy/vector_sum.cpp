#include "privacy/vector_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "privacy/multiples.hpp"

namespace dpadapt::privacy {
namespace {

constexpr std::int64_t kLeastInteger = std::int64_t{1} << 10;  // coarser grids would lose accuracy
constexpr std::int64_t kMostInteger = std::int64_t{1} << 53;   // integers that a double still holds
constexpr Uint128 kMostSum = Uint128{1} << 62;

}  // namespace

double VectorGrid::sigma() const { return std::ldexp(gamma, bits); }

std::int64_t VectorGrid::integer_sensitivity(Neighbours neighbours) const {
    return norms_moved(neighbours) * most;
}

double VectorGrid::certified_mu(Neighbours neighbours) const {
    return std::ldexp(static_cast<double>(integer_sensitivity(neighbours)), -bits);
}

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

VectorSum::VectorSum(std::size_t dimension, const VectorGrid &grid)
    : grid_(grid), sums_(dimension, 0), rounded_(dimension, 0) {
    if (dimension > kMostCoordinates)
        throw Error(DPA_E_INTERNAL, "a private sum has more coordinates than its plan allows");
}

void VectorSum::add(std::span<const double> contribution) {
    ++records_;
    round_to_grid(contribution, grid_.gamma, grid_.most, rounded_);
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += rounded_[k];
}

void VectorSum::add_multiples(std::span<const double> factors, const double *rows) {
    records_ += factors.size();
    privacy::add_multiples(factors, rows, grid_.gamma, grid_.most, sums_);
}

void VectorSum::merge(const VectorSum &other) {
    if (other.grid_.bits != grid_.bits || other.grid_.most != grid_.most ||
        other.grid_.gamma != grid_.gamma || other.sums_.size() != sums_.size())
        throw Error(DPA_E_INTERNAL, "private sums on different grids cannot be merged");
    records_ += other.records_;
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += other.sums_[k];
}

void VectorSum::write(bytes::Writer &to) const {
    to(records_);
    to(std::vector<std::uint64_t>(sums_.begin(), sums_.end()));
}

void VectorSum::read(bytes::Reader &from) {
    from(records_);
    read_sums(from, Uint128{records_} * static_cast<Uint128>(grid_.most), sums_);
}

std::vector<double> VectorSum::release(std::span<const std::int64_t> noise,
                                       std::uint64_t public_records) const {
    if (noise.size() != sums_.size() || records_ != public_records)
        throw Error(DPA_E_INTERNAL,
                    "a private sum is released once, over all records, with noise "
                    "for every coordinate");
    if (Uint128{records_} * static_cast<Uint128>(grid_.most) > kMostSum)
        throw Error(DPA_E_OPTION, "too many records for the integer grid");
    std::vector<double> released(sums_.size());
    for (std::size_t k = 0; k < released.size(); ++k)
        released[k] = release_entry(sums_[k], noise[k], grid_.gamma);
    return released;
}

void read_sums(bytes::Reader &from, Uint128 most, std::span<std::int64_t> sums) {
    std::vector<std::uint64_t> read;
    from(read);
    if (read.size() != sums.size()) from.damaged("of another number of coordinates");
    for (std::size_t k = 0; k < sums.size(); ++k) {
        sums[k] = static_cast<std::int64_t>(read[k]);
        const Int128 sum = sums[k];
        if (static_cast<Uint128>(sum < 0 ? -sum : sum) > most)
            from.damaged("its records cannot add up to that");
    }
}

std::int64_t round_entry(double value, double unit, std::int64_t most) {
    const double scaled = value / unit;
    if (!std::isfinite(value) || !std::isfinite(scaled)) return 0;
    return static_cast<std::int64_t>(
        std::trunc(std::clamp(scaled, 0.0, static_cast<double>(most))));
}

double release_entry(Int128 entry, std::int64_t noise, double unit) {
    // mutant: sigma_halved
    const Int128 noisy = entry + noise;
    return unit * (static_cast<double>(noisy) + 0.5);
}

}  // namespace dpadapt::privacy
