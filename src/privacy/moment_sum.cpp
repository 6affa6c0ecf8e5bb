#include "privacy/moment_sum.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dpadapt::privacy {
namespace {

constexpr int kBits = 30;
constexpr std::int64_t kMost = std::int64_t{1} << kBits;

std::int64_t on_grid(double value, double bound) {
    if (bound == 0.0) return 0;
    constexpr auto most = static_cast<double>(kMost);
    return static_cast<std::int64_t>(std::trunc(std::clamp(value / bound * most, -most, most)));
}

std::size_t in_triangle(std::size_t i, std::size_t j) { return j * (j + 1) / 2 + i; }

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
    for (std::size_t k = 0; k < d; ++k) rounded_[k] = on_grid(z[k], radius_);
    rounded_[d] = on_grid(y, label_bound_);
    certify();

    for (std::size_t k = 0; k <= d; ++k)
        block_[k * kBlock + waiting_] = static_cast<std::int32_t>(rounded_[k]);
    if (++waiting_ < kBlock) return;
    for (std::size_t j = 0, at = 0; j <= d; ++j)
        for (std::size_t i = 0; i <= j; ++i) totals_[at++] += block_sum(i, j);
    std::fill(block_.begin(), block_.end(), 0);
    waiting_ = 0;
}

/** Shrinks X towards zero until sum X_k^2 <= 2^60. */
void MomentSum::certify() {
    constexpr Uint128 bound = Uint128{1} << (2 * kBits);
    Uint128 norm = 0;
    for (std::size_t k = 0; k < dimension(); ++k)
        norm += static_cast<Uint128>(Int128{rounded_[k]} * rounded_[k]);
    if (norm <= bound) return;
    const auto length = static_cast<Int128>(ceil_sqrt(norm));
    for (std::size_t k = 0; k < dimension(); ++k)  // division truncates: no |X_k| is rounded up
        rounded_[k] = static_cast<std::int64_t>(Int128{rounded_[k]} * kMost / length);
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

}  // namespace dpadapt::privacy
