#include "sums/tally.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace dpadapt::sums {

void Tally::check(std::uint64_t records) {
    if (records > kMostRecords)
        throw Error(DPA_E_UNSUPPORTED,
                    "losses of more than 2^32 private records do not add up within 64 bits");
}

Tally::Tally(std::uint64_t records, std::span<const std::int64_t> sums) : IntegerSums(sums.size()) {
    records_ = records;
    std::copy(sums.begin(), sums.end(), sums_.begin());
}

void Tally::merge(const Tally &other) {
    if (other.sums_.size() != sums_.size())
        throw Error(DPA_E_INTERNAL, "sums of different questions cannot be merged");
    add(other);
}

PaperSum::PaperSum(VectorSum gradient, std::uint64_t first, std::vector<std::int64_t> losses)
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
        bytes::each(to, first, losses);
    }
}

void PaperSum::read(bytes::Reader &from) {
    gradient_.read(from);
    std::size_t ranges = 0;
    from(ranges);
    for (; ranges > 0; --ranges) {
        std::uint64_t first = 0;
        std::vector<std::int64_t> losses;
        bytes::each(from, first, losses);
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
    bytes::each(to, seen, not_finite, scaled, clamped_labels);
}

void Counts::read(bytes::Reader &from) {
    bytes::each(from, seen, not_finite, scaled, clamped_labels);
}

}  // namespace dpadapt::sums
