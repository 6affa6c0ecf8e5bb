#include "sums/survey_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/control.hpp"

namespace dpadapt::sums {
namespace {

constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class RowKind { labelled, unlabelled, damaged };

/** Reads the numbers of a row, the label last, with -0 as 0. */
RowKind read_row(const Sample &rows, std::size_t i, std::span<double> to) {
    const linalg::MatrixView &x = rows.x();
    const std::size_t features = to.size() - 1;
    bool finite = true;
    for (std::size_t j = 0; j < features; ++j) {
        to[j] = x(i, j) + 0.0;
        finite = finite && std::isfinite(to[j]);
    }
    const double label = to[features] = rows.y()[i] + 0.0;
    if (!finite || std::isinf(label)) return RowKind::damaged;
    return std::isnan(label) ? RowKind::unlabelled : RowKind::labelled;
}

}  // namespace

std::uint64_t hash_of_row(std::span<const double> row) {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const double value : row) {
        hash = (hash ^ std::bit_cast<std::uint64_t>(value + 0.0)) * 0xbf58476d1ce4e5b9;
        hash ^= hash >> 29;
    }
    hash = (hash ^ (hash >> 30)) * 0x94d049bb133111eb;
    return hash ^ (hash >> 31);
}

std::uint64_t digest_of_rows(const Sample &rows, std::size_t begin, std::size_t end) {
    std::vector<double> row(rows.features() + 1);
    std::uint64_t digest = 0;
    for (std::size_t i = begin; i < end; ++i)
        if (read_row(rows, i, row) == RowKind::labelled) digest += hash_of_row(row);
    return digest;
}

/** By hash, and by content where two rows have the same. */
bool RowSample::before(std::uint32_t i, std::uint32_t j) const {
    if (hashes_[i] != hashes_[j]) return hashes_[i] < hashes_[j];
    const auto a = row(i);
    const auto b = row(j);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

void RowSample::add(const double *row) {
    const std::uint64_t hash = hash_of_row({row, width_});
    digest_ += hash;
    if (hash > last_) return;
    if (size() >= 2 * most_) shrink();
    if (2 * (size() + 1) > slots_.size()) make_slots(2 * (size() + 1));
    insert(row, hash, 1);
}

void RowSample::merge(const RowSample &other) {
    make_room(other.size());
    for (std::size_t i = 0; i < other.size(); ++i)
        insert(other.row(i).data(), other.hashes_[i], other.counts_[i]);
    if (size() > 2 * most_) shrink();
    digest_ += other.digest_;
}

/** For what cannot fail afterwards. */
void RowSample::make_room(std::size_t more) {
    const std::size_t rows = size() + more;
    values_.reserve(rows * width_);
    hashes_.reserve(rows);
    counts_.reserve(rows);
    order_.reserve(rows);
    if (2 * rows > slots_.size()) make_slots(rows);
}

void RowSample::make_slots(std::size_t rows) {
    std::vector<std::uint32_t> slots(std::bit_ceil(std::max<std::size_t>(2 * rows, 64)));
    slots_.swap(slots);
    find_slots();
}

void RowSample::find_slots() {
    std::fill(slots_.begin(), slots_.end(), kEmpty);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < size(); ++i) {
        std::size_t at = hashes_[i] & mask;
        while (slots_[at] != kEmpty) at = (at + 1) & mask;
        slots_[at] = static_cast<std::uint32_t>(i);
    }
}

void RowSample::insert(const double *row, std::uint64_t hash, std::uint64_t count) {
    if (hash > last_) return;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    for (; slots_[at] != kEmpty; at = (at + 1) & mask) {
        const std::uint32_t i = slots_[at];
        if (hashes_[i] != hash || !std::equal(row, row + width_, this->row(i).begin())) continue;
        counts_[i] += count;
        return;
    }
    slots_[at] = static_cast<std::uint32_t>(size());
    hashes_.push_back(hash);
    counts_.push_back(count);
    for (std::size_t j = 0; j < width_; ++j) values_.push_back(row[j] + 0.0);
}

/** Keeps the rows of the smallest hashes. */
void RowSample::shrink() {
    order_.resize(size());
    std::iota(order_.begin(), order_.end(), 0U);
    const auto last = order_.begin() + static_cast<std::ptrdiff_t>(most_) - 1;
    std::nth_element(order_.begin(), last, order_.end(),
                     [this](std::uint32_t i, std::uint32_t j) { return before(i, j); });
    last_ = hashes_[*last];
    std::sort(order_.begin(), last + 1);  // so that no row overwrites one that is still to move
    for (std::size_t to = 0; to < most_; ++to) {
        const std::size_t from = order_[to];
        hashes_[to] = hashes_[from];
        counts_[to] = counts_[from];
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(from * width_), width_,
                    values_.begin() + static_cast<std::ptrdiff_t>(to * width_));
    }
    hashes_.resize(most_);
    counts_.resize(most_);
    values_.resize(most_ * width_);
    find_slots();
}

RowSample::Content RowSample::content() const {
    Content content;
    constexpr std::size_t kSorted = 400;  // what its place costs, beside a number that is copied
    std::vector<std::uint32_t> order(size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [this](std::uint32_t i, std::uint32_t j) { return before(i, j); });
    order.resize(std::min(size(), most_));
    content.values.reserve(order.size() * width_);
    for (const std::uint32_t i : order) {
        count_work(1, kSorted + 8 * width_);
        content.values.insert(content.values.end(), row(i).begin(), row(i).end());
        content.counts.push_back(counts_[i]);
    }
    if (order.size() == most_)
        content.share = std::ldexp(static_cast<double>(hashes_[order.back()]), -64);
    return content;
}

void RowSample::write(bytes::Writer &to) const {
    const Content all = content();
    bytes::each(to, digest_, all.counts, all.values);
}

void RowSample::read(bytes::Reader &from, std::uint64_t rows) {
    std::vector<std::uint64_t> counts;
    std::vector<double> values;
    bytes::each(from, digest_, counts, values);
    if (counts.size() > most_ || values.size() != counts.size() * width_)
        from.damaged("of another number of rows");
    for (const double value : values)
        if (!std::isfinite(value) || (value == 0.0 && std::signbit(value)))
            from.damaged("with a row that is none");
    make_room(counts.size());
    std::uint64_t left = rows;
    std::uint64_t digest = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double *row = values.data() + i * width_;
        if (counts[i] == 0 || counts[i] > left) from.damaged("its rows cannot be so many");
        left -= counts[i];
        const std::uint64_t hash = hash_of_row({row, width_});
        insert(row, hash, counts[i]);
        digest += counts[i] * hash;
        const auto last = static_cast<std::uint32_t>(i);
        if (size() != i + 1 || (i > 0 && !before(last - 1, last)))
            from.damaged("its rows are not in order");
    }
    if (left == 0 && digest != digest_) from.damaged("its rows have another digest");
    if (left > 0 && counts.size() < most_) from.damaged("some of its rows are missing");
}

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
    bytes::each(to, records_, damaged_, unlabelled_, lowest_, highest_);
    sample_.write(to);
}

void SurveySum::read(bytes::Reader &from) {
    const std::size_t width = lowest_.size();
    bytes::each(from, records_, damaged_, unlabelled_, lowest_, highest_);
    if (lowest_.size() != width || highest_.size() != width)
        from.damaged("of another number of columns");
    if (damaged_ > records_ || unlabelled_ > records_ - damaged_)
        from.damaged("its records cannot add up to that");
    for (std::size_t j = 0; j < width; ++j)
        if (labelled() == 0 ? lowest_[j] != kInfinity || highest_[j] != -kInfinity
                            : !(std::isfinite(lowest_[j]) && std::isfinite(highest_[j]) &&
                                lowest_[j] <= highest_[j]))
            from.damaged("its bounds are none");
    sample_.read(from, labelled());
    const RowSample::Content content = sample_.content();
    std::size_t j = 0;
    for (const double value : content.values) {
        if (value < lowest_[j] || value > highest_[j])
            from.damaged("its rows are not between its bounds");
        if (++j == width) j = 0;
    }
}

}  // namespace dpadapt::sums
