#include "records/units.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "base/splitmix.hpp"

namespace dpadapt::records {

Units::Units(const Sample &sample, std::size_t most) : count_(sample.units()) {
    const Persons *persons = sample.persons();
    if (persons == nullptr) return;
    first_.push_back(0);
    for (std::size_t p = 0; p < count_; ++p) {
        const std::span<const std::uint32_t> all = persons->rows(p);
        const std::span<const std::uint32_t> rows = all.first(std::min(most, all.size()));
        rows_.insert(rows_.end(), rows.begin(), rows.end());
        first_.push_back(rows_.size());
    }
}

std::vector<std::uint32_t> Units::first_rows(std::size_t begin, std::size_t end) const {
    std::vector<std::uint32_t> first;
    for (; begin < end; ++begin) {
        // mutant: moments_of_every_row
        const std::size_t count = 1;
        for (std::size_t k = 0; k < count; ++k) first.push_back(rows_[first_[begin] + k]);
    }
    return first;
}

void UnitTerms::add(std::span<const double> term) {
    const std::size_t size = units_.size(unit_);
    if (size == 1) {
        sum_.add(term);
        ++unit_;
        return;
    }
    for (std::size_t k = 0; k < total_.size(); ++k) total_[k] += term[k];
    if (++seen_ < size) return;
    for (double &value : total_) value /= static_cast<double>(size);
    sum_.add(total_);
    std::fill(total_.begin(), total_.end(), 0.0);
    seen_ = 0;
    ++unit_;
}

void UnitProducts::add(std::span<double> x) {
    const std::size_t size = units_.size(unit_);
    if (size > 1)
        for (double &value : x) value /= std::sqrt(static_cast<double>(size));
    // mutant: every_row_a_person
    sum_.add_part(x, size, seen_ == 0);
    if (++seen_ < size) return;
    seen_ = 0;
    ++unit_;
}

namespace {

constexpr std::size_t kMostSampled = 256;
constexpr std::uint64_t kNobody = 0;  // of the table; the one person with this hash has 1

/** Different ids have different hashes. */
std::uint64_t hash_of(std::int64_t id) { return SplitMix64(static_cast<std::uint64_t>(id))(); }

[[noreturn]] void there_already() {
    throw Error(DPA_E_STATE,
                "a person has rows in two parts: all rows of a person must be added together");
}

}  // namespace

PersonNames::Addition PersonNames::prepare(std::span<const std::int64_t> ids) {
    Addition more;
    more.hashes.reserve(ids.size());
    for (const std::int64_t id : ids) more.hashes.push_back(hash_of(id));
    std::sort(more.hashes.begin(), more.hashes.end());
    more.hashes.erase(std::unique(more.hashes.begin(), more.hashes.end()), more.hashes.end());
    // mutant: person_in_two_parts
    for (const std::uint64_t hash : more.hashes)
        if (contains(hash)) there_already();
    more.sample = joined(more.hashes);
    reserve(count_ + more.hashes.size());
    return more;
}

void PersonNames::add(Addition more) noexcept {
    for (const std::uint64_t hash : more.hashes) insert(hash);
    take(std::move(more.sample));
}

PersonNames::Sample PersonNames::merged(bytes::Reader &from) const {
    std::vector<std::uint64_t> other;
    from(other);
    if (other.size() > kMostSampled || !std::is_sorted(other.begin(), other.end()))
        from.damaged("its persons are not in order");
    return joined(other);
}

void PersonNames::write(bytes::Writer &to) const {
    to(std::vector<std::uint64_t>(sample_.begin(), sample_.end()));
}

/** Where a hash is in both samples it is in both parts. */
PersonNames::Sample PersonNames::joined(std::span<const std::uint64_t> more) const {
    const auto smallest = more.first(std::min(more.size(), kMostSampled));
    Sample all;
    all.reserve(sample_.size() + smallest.size());
    std::set_union(sample_.begin(), sample_.end(), smallest.begin(), smallest.end(),
                   std::back_inserter(all));
    // mutant: person_in_two_merged_parts
    if (all.size() != sample_.size() + smallest.size()) there_already();
    all.resize(std::min(all.size(), kMostSampled));
    return all;
}

bool PersonNames::contains(std::uint64_t hash) const {
    if (table_.empty()) return false;
    const std::uint64_t name = std::max<std::uint64_t>(hash, 1);
    for (std::size_t at = name & (table_.size() - 1); table_[at] != kNobody;
         at = (at + 1) & (table_.size() - 1))
        if (table_[at] == name) return true;
    return false;
}

void PersonNames::reserve(std::size_t persons) {
    if (2 * persons <= table_.size()) return;
    std::size_t size = std::max<std::size_t>(table_.size(), 64);
    while (size < 2 * persons) size *= 2;
    SecretVector<std::uint64_t> before(size, kNobody);
    before.swap(table_);
    count_ = 0;
    for (const std::uint64_t name : before)
        if (name != kNobody) insert(name);
}

void PersonNames::insert(std::uint64_t hash) noexcept {
    const std::uint64_t name = std::max<std::uint64_t>(hash, 1);
    std::size_t at = name & (table_.size() - 1);
    while (table_[at] != kNobody) at = (at + 1) & (table_.size() - 1);
    table_[at] = name;
    ++count_;
}

}  // namespace dpadapt::records
