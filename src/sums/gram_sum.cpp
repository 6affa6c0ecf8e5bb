#include "sums/gram_sum.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/multiversion.hpp"

namespace dpadapt::sums {

namespace {

constexpr int kGramBits = 42;
constexpr int kSlice = 21;            // bits of the lower half of a number
constexpr std::size_t kRecords = 32;  // records

/** Of the records of a block, coordinate after coordinate. */
DPA_MULTIVERSION
void add_split_products(std::size_t size, const std::int32_t *upper, const std::int32_t *lower,
                        GramSum::Products *to) {
    for (std::size_t j = 0; j < size; ++j)
        for (std::size_t i = 0; i <= j; ++i, ++to) {
            const std::int32_t *a = upper + i * kRecords;
            const std::int32_t *b = upper + j * kRecords;
            const std::int32_t *c = lower + i * kRecords;
            const std::int32_t *d = lower + j * kRecords;
            std::int64_t above = 0;
            std::int64_t mixed = 0;
            std::int64_t below = 0;
            for (std::size_t k = 0; k < kRecords; ++k) {
                above += std::int64_t{a[k]} * b[k];
                mixed += std::int64_t{a[k]} * d[k] + std::int64_t{c[k]} * b[k];
                below += std::int64_t{c[k]} * d[k];
            }
            to->upper += above;
            to->mixed += mixed;
            to->lower += below;
        }
}

}  // namespace

GramSum::GramSum(std::vector<double> bounds)
    : bounds_(std::move(bounds)),
      upper_(size() * kRecords),
      lower_(size() * kRecords),
      products_(in_triangle(0, size())),
      totals_(in_triangle(0, size())) {}

void GramSum::add(const double *z, double y) {
    constexpr double kMost = std::int64_t{1} << kGramBits;
    constexpr std::int64_t kHalf = std::int64_t{1} << (kSlice - 1);
    const double label = std::isnan(y) ? 0.0 : y;  // only a forged request has NaN
    for (std::size_t j = 0; j < size(); ++j) {
        const double value = (j + 1 < size() ? z[j] : label) * (kMost / bounds_[j]);
        const auto q = static_cast<std::int64_t>(std::nearbyint(std::clamp(value, -kMost, kMost)));
        const std::int64_t upper = (q + kHalf) >> kSlice;
        upper_[j * kRecords + waiting_] = static_cast<std::int32_t>(upper);
        lower_[j * kRecords + waiting_] = static_cast<std::int32_t>(q - (upper << kSlice));
    }
    ++records_;
    if (++waiting_ == kRecords) add_block();
}

void GramSum::add_block() {
    constexpr std::size_t kMostBlocks = std::size_t{1} << 14;  // 2^19 products below 2^43
    by_processor<add_split_products>(size(), upper_.data(), lower_.data(), products_.data());
    std::fill(upper_.begin(), upper_.end(), 0);
    std::fill(lower_.begin(), lower_.end(), 0);
    waiting_ = 0;
    if (++blocks_ == kMostBlocks) empty_products();
}

void GramSum::empty_products() {
    for (std::size_t k = 0; k < totals_.size(); ++k) {
        const Products &sums = products_[k];
        totals_[k] += static_cast<Uint128>((Int128{sums.upper} << 2 * kSlice) +
                                           (Int128{sums.mixed} << kSlice) + Int128{sums.lower});
        products_[k] = {};
    }
    blocks_ = 0;
}

/** The same, with everything in the totals. */
GramSum GramSum::complete() const {
    GramSum all = *this;
    all.add_block();
    all.empty_products();
    return all;
}

void GramSum::merge(const GramSum &other) {
    if (other.bounds_ != bounds_)
        throw Error(DPA_E_INTERNAL, "moments within different bounds cannot be merged");
    const GramSum more = other.complete();
    for (std::size_t k = 0; k < totals_.size(); ++k) totals_[k] += more.totals_[k];
    records_ += other.records_;
    digest_ += other.digest_;
}

void GramSum::write(bytes::Writer &to) const {
    bytes::each(to, records_, digest_);
    write_totals(to, complete().totals_);
}

void GramSum::read(bytes::Reader &from) {
    bytes::each(from, records_, digest_);
    read_totals(from, Uint128{std::min(records_, std::uint64_t{1} << 42)} << 2 * kGramBits,
                totals_);
}

std::vector<double> GramSum::sums() const {
    const GramSum all = complete();
    std::vector<double> square(size() * size());
    for (std::size_t j = 0, at = 0; j < size(); ++j)
        for (std::size_t i = 0; i <= j; ++i, ++at) {
            const auto total = static_cast<double>(static_cast<Int128>(all.totals_[at]));
            square[j * size() + i] = square[i * size() + j] =
                std::ldexp(total, -2 * kGramBits) * bounds_[i] * bounds_[j];
        }
    return square;
}

}  // namespace dpadapt::sums
