#include "records/units.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace dpadapt::records
