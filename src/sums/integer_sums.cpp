#include "sums/integer_sums.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/multiversion.hpp"

namespace dpadapt::sums {
namespace {

/** Of a sum of either sign. */
Uint128 size_of(Int128 sum) {
    return sum < 0 ? -static_cast<Uint128>(sum) : static_cast<Uint128>(sum);
}

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
void each_entry(std::size_t d, const auto &visit) {
    std::size_t k = 0;
    for (std::size_t j = 0; j < d; ++j)
        for (std::size_t i = 0; i <= j; ++i, ++k)
            visit(k, i == j ? privacy::OuterGrid::kOnDiagonal : privacy::OuterGrid::kOffDiagonal);
}

}  // namespace

void IntegerSums::write(bytes::Writer &to) const {
    to(records_);
    to(std::vector<std::uint64_t>(sums_.begin(), sums_.end()));
}

void IntegerSums::add(const IntegerSums &other) {
    records_ += other.records_;
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += other.sums_[k];
}

void IntegerSums::read(bytes::Reader &from, Uint128 most) {
    std::vector<std::uint64_t> read;
    bytes::each(from, records_, read);
    if (read.size() != sums_.size()) from.damaged("of another number of coordinates");
    std::copy(read.begin(), read.end(), sums_.begin());
    for (const std::int64_t sum : sums_)
        if (size_of(sum) > records_ * most) from.damaged("its records cannot add up to that");
}

void IntegerSums::check_release(std::span<const std::int64_t> noise,
                                std::uint64_t public_records) const {
    if (noise.size() != sums_.size() || records_ != public_records)
        throw Error(DPA_E_INTERNAL,
                    "a private sum is released once, over all records, with noise "
                    "for every coordinate");
}

void write_totals(bytes::Writer &to, std::span<const Uint128> totals) {
    std::vector<std::uint64_t> halves;
    for (const Uint128 total : totals) {
        halves.push_back(static_cast<std::uint64_t>(total >> 64));
        halves.push_back(static_cast<std::uint64_t>(total));
    }
    to(halves);
}

void read_totals(bytes::Reader &from, Uint128 most, std::span<Uint128> totals) {
    std::vector<std::uint64_t> halves;
    from(halves);
    if (halves.size() != 2 * totals.size()) from.damaged("of another number of coordinates");
    for (std::size_t k = 0; k < totals.size(); ++k) {
        totals[k] = Uint128{halves[2 * k]} << 64 | halves[2 * k + 1];
        if (size_of(static_cast<Int128>(totals[k])) > most)
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

VectorSum::VectorSum(std::size_t dimension, const privacy::VectorGrid &grid)
    : IntegerSums(dimension), grid_(grid), rounded_(dimension, 0) {
    if (dimension > privacy::kMostCoordinates)
        throw Error(DPA_E_INTERNAL, "a private sum has more coordinates than its plan allows");
}

void VectorSum::add(std::span<const double> contribution) {
    ++records_;
    round_to_grid(contribution, grid_.gamma, grid_.most, rounded_);
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += rounded_[k];
}

void VectorSum::add_multiples(std::span<const double> factors, const double *rows) {
    records_ += factors.size();
    sums::add_multiples(factors, rows, grid_.gamma, grid_.most, sums_);
}

void VectorSum::merge(const VectorSum &other) {
    if (other.grid_.bits != grid_.bits || other.grid_.most != grid_.most ||
        other.grid_.gamma != grid_.gamma || other.sums_.size() != sums_.size())
        throw Error(DPA_E_INTERNAL, "private sums on different grids cannot be merged");
    IntegerSums::add(other);
}

void VectorSum::read(bytes::Reader &from) {
    IntegerSums::read(from, static_cast<Uint128>(grid_.most));
}

std::vector<double> VectorSum::release(std::span<const std::int64_t> noise,
                                       std::uint64_t public_records) const {
    check_release(noise, public_records);
    if (!sum_fits(records_, grid_.most))
        throw Error(DPA_E_OPTION, "too many records for the integer grid");
    std::vector<double> released(sums_.size());
    for (std::size_t k = 0; k < released.size(); ++k)
        released[k] = release_entry(sums_[k], noise[k], grid_.gamma);
    return released;
}

OuterSum::OuterSum(std::size_t dimension, const privacy::OuterGrid &grid)
    : IntegerSums(in_triangle(0, dimension)),
      dimension_(dimension),
      grid_(grid),
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
    IntegerSums::add(other);
}

void OuterSum::read(bytes::Reader &from) {
    IntegerSums::read(from, static_cast<Uint128>(Int128{grid_.length} * grid_.length));
}

std::vector<std::int64_t> OuterSum::packed() const {
    std::vector<std::int64_t> packed(sums_.size());
    each_entry(dimension_,
               [&](std::size_t k, std::int64_t scale) { packed[k] = scale * sums_[k]; });
    return packed;
}

std::vector<double> OuterSum::release(std::span<const std::int64_t> noise,
                                      std::uint64_t public_records) const {
    check_release(noise, public_records);
    const auto square = static_cast<double>(grid_.length) * static_cast<double>(grid_.length);
    std::vector<double> released(sums_.size());
    each_entry(dimension_, [&](std::size_t k, std::int64_t scale) {
        const double unit = 1.0 / (static_cast<double>(scale) * square);
        released[k] = release_entry(Int128{scale} * sums_[k], noise[k], unit);
    });
    return released;
}

}  // namespace dpadapt::sums
