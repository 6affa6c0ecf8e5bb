#include "cli/sample_sink.hpp"

#include <cmath>
#include <limits>

#include "cli/failure.hpp"
#include "cli/number.hpp"
#include "cli/record_line.hpp"

namespace dpadapt::cli {
namespace {

/** 64 bits that stand for a text (FNV-1a). If two persons have the same, they are one. */
std::int64_t identifier(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return static_cast<std::int64_t>(hash);
}

}  // namespace

void SampleSink::read() {
    has_private_rows() ? read_records(path_, *this) : read_csv(path_, *this);
}

void SampleSink::header(const std::vector<std::string> &names) {
    places_ = place_columns(path_, names, choice_);
    row_.resize(choice_.features.size());
    if (!has_private_rows()) return;
    if (choice_.by_domain) domain_first_ = find_end(names, choice_.domain);
    if (choice_.by_group) group_first_ = find_end(names, choice_.group);
}

// In the middle of a line a comma too many, or a quote, would move a row into the other sample, or
// to another person.
bool SampleSink::find_end(const std::vector<std::string> &names, const std::string &column) const {
    if (names.front() == column) return true;
    if (names.back() == column) return false;
    throw Failure(kBadData, path_ + ": column \"" + column +
                                "\" must be the first or the last one where rows are private, so "
                                "that no other cell can move it");
}

bool SampleSink::begin_row(std::string_view first, std::string_view last) {
    if (choice_.by_group)
        group_ = identifier(split_line(group_first_ ? first : last).texts.front());
    if (!choice_.by_domain) return source_.is_private;
    current_ = domain(split_line(domain_first_ ? first : last).texts.front());
    has_domain_ = current_ != nullptr;
    if (!has_domain_) current_ = target_.is_private ? &target_ : &source_;
    return current_->is_private;
}

void SampleSink::cell(std::size_t column, std::string_view text) {
    const Place place = places_[column];
    switch (place.role) {
        case Role::kUnused:
            return;
        case Role::kFeature:
            row_[place.feature] = number(text);
            return;
        case Role::kLabel:
            label_ = number(text);
            return;
        case Role::kGroup:
            if (!has_private_rows()) group_ = identifier(text);
            return;
        case Role::kDomain:
            if (!has_private_rows()) has_domain_ = (current_ = domain(text)) != nullptr;
            if (has_domain_) return;
            throw CellError('"' + std::string(text) + "\" is neither source nor target");
    }
}

void SampleSink::end_row() {
    current_->x.insert(current_->x.end(), row_.begin(), row_.end());
    if (labelled()) current_->y.push_back(label_);
    if (choice_.by_group && current_ == &target_) current_->groups.push_back(group_);
}

void SampleSink::end_null_row() {
    label_ = std::numeric_limits<double>::quiet_NaN();
    row_.assign(row_.size(), label_);
    end_row();
}

double SampleSink::number(std::string_view text) const {
    const double value = parse_number(text);
    if (labelled() && !std::isfinite(value)) {
        throw CellError('"' + std::string(text) + "\" is not a finite number");
    }
    return value;
}

Sample *SampleSink::domain(std::string_view text) const {
    if (text == "source") return &source_;
    if (text == "target") return &target_;
    return nullptr;
}

}  // namespace dpadapt::cli
