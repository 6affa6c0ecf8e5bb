#include "privacy/outer_sum.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/multiversion.hpp"
#include "privacy/multiples.hpp"
#include "privacy/vector_sum.hpp"

namespace dpadapt::privacy {
namespace {

constexpr std::int64_t kOnDiagonal = 128;
constexpr std::int64_t kOffDiagonal = 181;
static_assert(kOffDiagonal * kOffDiagonal <= 2 * kOnDiagonal * kOnDiagonal);

constexpr std::int64_t kLeastLength = std::int64_t{1} << 9;  // coarser grids would lose accuracy
constexpr std::int64_t kMostLength = std::int64_t{1} << 30;  // so that products fit 64 bits

/** sums += X X', the upper triangle. */
DPA_MULTIVERSION
void add_products(const std::int32_t *x, std::size_t d, std::int64_t *sums) {
    for (std::size_t j = 0; j < d; ++j) {
        const std::int64_t factor = x[j];
        for (std::size_t i = 0; i <= j; ++i) sums[i] += factor * x[i];
        sums += j + 1;
    }
}

/** Calls visit(k, scale) for every entry of the packed triangle. */
template <typename Visit>
void each_entry(std::size_t d, const Visit &visit) {
    std::size_t k = 0;
    for (std::size_t j = 0; j < d; ++j)
        for (std::size_t i = 0; i <= j; ++i, ++k) visit(k, i == j ? kOnDiagonal : kOffDiagonal);
}

}  // namespace

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
    constexpr Uint128 kMostSum = Uint128{1} << 62;
    for (int bits = kMostBits; bits >= 24; --bits) {
        const std::int64_t allowed = plan_sensitivity(mu_square, bits);
        const double of_unit_length = neighbours == Neighbours::zero_out ? 128.0 : 181.0;
        OuterGrid grid{bits,
                       std::min(kMostLength, static_cast<std::int64_t>(std::sqrt(
                                                 static_cast<double>(allowed) / of_unit_length)))};
        while (grid.length > 0 && grid.integer_sensitivity(neighbours) > allowed) --grid.length;
        const auto square = static_cast<Uint128>(Int128{grid.length} * grid.length);
        if (grid.length >= kLeastLength && square * records <= kMostSum) return grid;
    }
    return std::nullopt;
}

OuterSum::OuterSum(std::size_t dimension, const OuterGrid &grid)
    : dimension_(dimension),
      grid_(grid),
      sums_(dimension * (dimension + 1) / 2, 0),
      rounded_(dimension, 0),
      small_(dimension, 0) {}

void OuterSum::add_part(std::span<const double> x, std::uint64_t parts, bool first) {
    if (first) ++records_;
    const auto square = static_cast<Uint128>(Int128{grid_.length} * grid_.length);
    // mutant: whole_length_for_every_row
    const auto most =
        parts == 1 ? grid_.length : static_cast<std::int64_t>(floor_sqrt(square / parts));
    if (most == 0) return;  // of so many rows each is less than the grid's unit
    round_to_grid(x, 1.0 / static_cast<double>(grid_.length), most, rounded_);
    std::transform(rounded_.begin(), rounded_.end(), small_.begin(),
                   [](std::int64_t q) { return static_cast<std::int32_t>(q); });
    by_processor<add_products>(small_.data(), dimension_, sums_.data());
}

void OuterSum::merge(const OuterSum &other) {
    if (other.grid_.bits != grid_.bits || other.grid_.length != grid_.length ||
        other.dimension_ != dimension_)
        throw Error(DPA_E_INTERNAL, "private sums on different grids cannot be merged");
    records_ += other.records_;
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += other.sums_[k];
}

void OuterSum::write(bytes::Writer &to) const {
    to(records_);
    to(std::vector<std::uint64_t>(sums_.begin(), sums_.end()));
}

void OuterSum::read(bytes::Reader &from) {
    from(records_);
    read_sums(from, Uint128{records_} * static_cast<Uint128>(Int128{grid_.length} * grid_.length),
              sums_);
}

std::vector<std::int64_t> OuterSum::packed() const {
    std::vector<std::int64_t> packed(sums_.size());
    each_entry(dimension_,
               [&](std::size_t k, std::int64_t scale) { packed[k] = scale * sums_[k]; });
    return packed;
}

std::vector<double> OuterSum::release(std::span<const std::int64_t> noise,
                                      std::uint64_t public_records) const {
    if (noise.size() != sums_.size() || records_ != public_records)
        throw Error(DPA_E_INTERNAL,
                    "a private sum is released once, over all records, with noise "
                    "for every coordinate");
    const auto square = static_cast<double>(grid_.length) * static_cast<double>(grid_.length);
    std::vector<double> released(sums_.size());
    each_entry(dimension_, [&](std::size_t k, std::int64_t scale) {
        const double unit = 1.0 / (static_cast<double>(scale) * square);
        released[k] = release_entry(Int128{scale} * sums_[k], noise[k], unit);
    });
    return released;
}

}  // namespace dpadapt::privacy
