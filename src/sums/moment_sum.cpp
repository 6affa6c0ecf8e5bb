#include "sums/moment_sum.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/error.hpp"

namespace dpadapt::sums {
namespace {

constexpr int kBits = 30;
constexpr std::int64_t kMostMoment = std::int64_t{1} << kBits;

/** trunc(2^30 values / bound), with squares that sum to 2^60 at most. */
void round_to_bound(std::span<const double> values, double bound, std::span<std::int64_t> rounded) {
    if (bound == 0.0) {
        std::fill(rounded.begin(), rounded.end(), 0);
    } else {
        round_to_grid(values, std::ldexp(bound, -kBits), kMostMoment, rounded);
    }
}

}  // namespace

MomentSum::MomentSum(std::size_t dimension, double radius, double label_bound)
    : radius_(radius),
      label_bound_(label_bound),
      rounded_(dimension + 1),
      block_((dimension + 1) * kBlock),
      totals_(in_triangle(0, dimension + 1)) {
    if (!(radius >= 0.0 && std::isfinite(radius) && label_bound >= 0.0 &&
          std::isfinite(label_bound)))
        throw Error(DPA_E_OPTION, "the bounds of private records must be finite, not negative");
}

void MomentSum::add(const double *z, double y) {
    ++records_;
    const std::size_t d = dimension();
    const auto finite = [](double v) { return std::isfinite(v); };
    if (!std::all_of(z, z + d, finite) || !finite(y)) return;
    const std::span<std::int64_t> rounded(rounded_);
    round_to_bound({z, d}, radius_, rounded.first(d));
    round_to_bound({&y, 1}, label_bound_, rounded.last(1));

    for (std::size_t k = 0; k <= d; ++k)
        block_[k * kBlock + waiting_] = static_cast<std::int32_t>(rounded_[k]);
    if (++waiting_ < kBlock) return;
    for (std::size_t j = 0, at = 0; j <= d; ++j)
        for (std::size_t i = 0; i <= j; ++i) totals_[at++] += block_sum(i, j);
    std::fill(block_.begin(), block_.end(), 0);
    waiting_ = 0;
}

std::int64_t MomentSum::block_sum(std::size_t i, std::size_t j) const {
    const std::int32_t *a = block_.data() + i * kBlock;
    const std::int32_t *b = block_.data() + j * kBlock;
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < kBlock; ++r) sum += std::int64_t{a[r]} * b[r];
    return sum;
}

void MomentSum::merge(const MomentSum &other) {
    if (other.dimension() != dimension() || other.radius_ != radius_ ||
        other.label_bound_ != label_bound_)
        throw Error(DPA_E_INTERNAL, "private moments with different bounds cannot be merged");
    for (std::size_t j = 0, at = 0; j <= dimension(); ++j)
        for (std::size_t i = 0; i <= j; ++i) totals_[at++] += other.sum(i, j);
    records_ += other.records_;
}

void MomentSum::write(bytes::Writer &to) const {
    std::vector<Uint128> totals;
    for (std::size_t j = 0; j <= dimension(); ++j)
        for (std::size_t i = 0; i <= j; ++i) totals.push_back(static_cast<Uint128>(sum(i, j)));
    to(records_);
    write_totals(to, totals);
}

void MomentSum::read(bytes::Reader &from) {
    from(records_);
    std::vector<Uint128> totals(totals_.size());
    read_totals(from, Uint128{records_} << 2 * kBits, totals);
    std::copy(totals.begin(), totals.end(), totals_.begin());
}

Int128 MomentSum::sum(std::size_t i, std::size_t j) const {
    return totals_[in_triangle(std::min(i, j), std::max(i, j))] + block_sum(i, j);
}

MomentMeans MomentSum::means() const {
    if (records_ == 0) throw Error(DPA_E_INTERNAL, "moments are means over at least one record");
    const std::size_t d = dimension();
    const auto mean = [&](std::size_t i, std::size_t j, double one, double other) {
        const double total = std::ldexp(static_cast<double>(sum(i, j)), -2 * kBits);
        return total / static_cast<double>(records_) * one * other;
    };
    MomentMeans means{std::vector<double>(d * d), std::vector<double>(d),
                      mean(d, d, label_bound_, label_bound_)};
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t i = 0; i < d; ++i) means.second[j * d + i] = mean(i, j, radius_, radius_);
        means.cross[j] = mean(j, d, radius_, label_bound_);
    }
    return means;
}

}  // namespace dpadapt::sums
