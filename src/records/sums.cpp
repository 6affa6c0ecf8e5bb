#include "records/sums.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/multiversion.hpp"

namespace dpadapt::records {

void Tally::check(std::uint64_t records) {
    if (records > kMostRecords)
        throw Error(DPA_E_UNSUPPORTED,
                    "losses of more than 2^32 private records do not add up within 64 bits");
}

void Tally::merge(const Tally &other) {
    if (other.sums_.size() != sums_.size())
        throw Error(DPA_E_INTERNAL, "sums of different questions cannot be merged");
    records_ += other.records_;
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += other.sums_[k];
}

void Tally::write(bytes::Writer &to) const {
    to(records_);
    to(std::vector<std::uint64_t>(sums_.begin(), sums_.end()));
}

void Tally::read(bytes::Reader &from) {
    from(records_);
    privacy::read_sums(from, Uint128{records_} << kBits, sums_);
}

PaperSum::PaperSum(privacy::VectorSum gradient, std::uint64_t first,
                   std::vector<std::int64_t> losses)
    : gradient_(std::move(gradient)) {
    add(first, std::move(losses));
}

void PaperSum::add(std::uint64_t first, std::vector<std::int64_t> losses) {
    if (!losses.empty()) losses_.emplace(first, std::move(losses));
}

void PaperSum::merge(const PaperSum &other) {
    gradient_.merge(other.gradient_);
    losses_.insert(other.losses_.begin(), other.losses_.end());
}

void PaperSum::write(bytes::Writer &to) const {
    gradient_.write(to);
    to(losses_.size());
    for (const auto &[first, losses] : losses_) {
        to(first);
        to(losses);
    }
}

void PaperSum::read(bytes::Reader &from) {
    gradient_.read(from);
    std::size_t ranges = 0;
    from(ranges);
    for (; ranges > 0; --ranges) {
        std::uint64_t first = 0;
        std::vector<std::int64_t> losses;
        from(first);
        from(losses);
        add(first, std::move(losses));
    }
}

std::vector<std::int64_t> PaperSum::losses() const {
    std::vector<std::int64_t> all;
    for (const auto &[first, losses] : losses_) {
        if (first != all.size())
            throw Error(DPA_E_INTERNAL, "a record's loss is missing, or there twice");
        all.insert(all.end(), losses.begin(), losses.end());
    }
    return all;
}

void Counts::merge(const Counts &other) {
    seen += other.seen;
    not_finite += other.not_finite;
    scaled += other.scaled;
    clamped_labels += other.clamped_labels;
}

void Counts::write(bytes::Writer &to) const {
    to(seen);
    to(not_finite);
    to(scaled);
    to(clamped_labels);
}

void Counts::read(bytes::Reader &from) {
    from(seen);
    from(not_finite);
    from(scaled);
    from(clamped_labels);
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_finite(double value) { return std::isfinite(value); }

}  // namespace

SurveySum::SurveySum(std::size_t width, std::size_t most)
    : lowest_(width, kInfinity), highest_(width, -kInfinity), sample_(width, most) {}

void SurveySum::add(const Sample &rows) {
    std::vector<double> row(lowest_.size());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        ++records_;
        const RowKind kind = read_row(rows, i, row);
        if (kind == RowKind::damaged) ++damaged_;
        if (kind == RowKind::unlabelled) ++unlabelled_;
        if (kind != RowKind::labelled) continue;
        for (std::size_t j = 0; j < row.size(); ++j) {
            lowest_[j] = std::min(lowest_[j], row[j]);
            highest_[j] = std::max(highest_[j], row[j]);
        }
        sample_.add(row.data());
    }
}

void SurveySum::merge(const SurveySum &other) {
    sample_.merge(other.sample_);  // first, as it may fail
    records_ += other.records_;
    damaged_ += other.damaged_;
    unlabelled_ += other.unlabelled_;
    for (std::size_t j = 0; j < lowest_.size(); ++j) {
        lowest_[j] = std::min(lowest_[j], other.lowest_[j]);
        highest_[j] = std::max(highest_[j], other.highest_[j]);
    }
}

void SurveySum::write(bytes::Writer &to) const {
    to(records_);
    to(damaged_);
    to(unlabelled_);
    to(lowest_);
    to(highest_);
    sample_.write(to);
}

void SurveySum::read(bytes::Reader &from) {
    const std::size_t width = lowest_.size();
    from(records_);
    from(damaged_);
    from(unlabelled_);
    from(lowest_);
    from(highest_);
    if (lowest_.size() != width || highest_.size() != width)
        from.damaged("of another number of columns");
    if (damaged_ > records_ || unlabelled_ > records_ - damaged_)
        from.damaged("its records cannot add up to that");
    for (std::size_t j = 0; j < width; ++j)
        if (labelled() == 0
                ? lowest_[j] != kInfinity || highest_[j] != -kInfinity
                : !(is_finite(lowest_[j]) && is_finite(highest_[j]) && lowest_[j] <= highest_[j]))
            from.damaged("its bounds are none");
    sample_.read(from, labelled());
    const RowSample::Kept kept = sample_.kept();
    std::size_t j = 0;
    for (const double value : kept.values) {
        if (value < lowest_[j] || value > highest_[j])
            from.damaged("its rows are not between its bounds");
        if (++j == width) j = 0;
    }
}

namespace {

constexpr int kBits = 42;
constexpr int kSlice = 21;          // bits of the lower half of a number
constexpr std::size_t kBlock = 32;  // records

std::size_t triangle(std::size_t size) { return size * (size + 1) / 2; }

/** Of the records of a block, coordinate after coordinate. */
DPA_MULTIVERSION
void add_products(std::size_t size, const std::int32_t *upper, const std::int32_t *lower,
                  GramSum::Products *to) {
    for (std::size_t j = 0; j < size; ++j)
        for (std::size_t i = 0; i <= j; ++i, ++to) {
            const std::int32_t *a = upper + i * kBlock;
            const std::int32_t *b = upper + j * kBlock;
            const std::int32_t *c = lower + i * kBlock;
            const std::int32_t *d = lower + j * kBlock;
            std::int64_t above = 0;
            std::int64_t mixed = 0;
            std::int64_t below = 0;
            for (std::size_t k = 0; k < kBlock; ++k) {
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
      upper_(size() * kBlock),
      lower_(size() * kBlock),
      products_(triangle(size())),
      totals_(triangle(size())) {}

void GramSum::add(const double *z, double y) {
    constexpr double kMost = std::int64_t{1} << kBits;
    constexpr std::int64_t kHalf = std::int64_t{1} << (kSlice - 1);
    const double label = std::isnan(y) ? 0.0 : y;  // of a request that is nobody's
    for (std::size_t j = 0; j < size(); ++j) {
        const double value = (j + 1 < size() ? z[j] : label) * (kMost / bounds_[j]);
        const auto q = static_cast<std::int64_t>(std::nearbyint(std::clamp(value, -kMost, kMost)));
        const std::int64_t upper = (q + kHalf) >> kSlice;
        upper_[j * kBlock + waiting_] = static_cast<std::int32_t>(upper);
        lower_[j * kBlock + waiting_] = static_cast<std::int32_t>(q - (upper << kSlice));
    }
    ++records_;
    if (++waiting_ == kBlock) add_block();
}

void GramSum::add_block() {
    constexpr std::size_t kMostBlocks = std::size_t{1} << 14;  // 2^19 products below 2^43
    by_processor<add_products>(size(), upper_.data(), lower_.data(), products_.data());
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
    const GramSum all = complete();
    std::vector<std::uint64_t> halves;
    for (const Uint128 total : all.totals_) {
        halves.push_back(static_cast<std::uint64_t>(total >> 64));
        halves.push_back(static_cast<std::uint64_t>(total));
    }
    to(records_);
    to(digest_);
    to(halves);
}

void GramSum::read(bytes::Reader &from) {
    std::vector<std::uint64_t> halves;
    from(records_);
    from(digest_);
    from(halves);
    if (halves.size() != 2 * totals_.size()) from.damaged("of another number of coordinates");
    const Uint128 most = Uint128{std::min(records_, std::uint64_t{1} << 42)} << 2 * kBits;
    for (std::size_t k = 0; k < totals_.size(); ++k) {
        const Uint128 total = Uint128{halves[2 * k]} << 64 | halves[2 * k + 1];
        totals_[k] = total;
        if ((static_cast<Int128>(total) < 0 ? -total : total) > most)
            from.damaged("its records cannot add up to that");
    }
}

std::vector<double> GramSum::sums() const {
    const GramSum all = complete();
    std::vector<double> square(size() * size());
    for (std::size_t j = 0, at = 0; j < size(); ++j)
        for (std::size_t i = 0; i <= j; ++i, ++at) {
            const auto total = static_cast<double>(static_cast<Int128>(all.totals_[at]));
            square[j * size() + i] = square[i * size() + j] =
                std::ldexp(total, -2 * kBits) * bounds_[i] * bounds_[j];
        }
    return square;
}

}  // namespace dpadapt::records
