#include "cli/read/sample_sink.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "cli/read/columns.hpp"
#include "cli/read/csv.hpp"
#include "cli/read/failure.hpp"
#include "schema/schema.hpp"

namespace dpadapt::cli {

void SampleSink::read() {
    try {
        read_csv(path_, *this, has_private_rows());
    } catch (const std::bad_alloc &) {
        throw Failure(kComputationFailed, path_ + ": memory exhausted by its rows");
    }
}

void SampleSink::header(const std::vector<std::string> &names, char separator) {
    separator_ = separator;
    format_.decimal_comma = separator != ',';
    places_ = place_columns(path_, names, choice_);
    const std::size_t features = choice_.features.size();
    check_weights();
    names_ = names;
    texts_.resize(features + 1);
    cells_.resize(features + 1);
    kept_row_.resize(choice_.kept.size());
    if (choice_.map != nullptr) {
        inputs_.resize(choice_.map->inputs.size());
        input_texts_.resize(inputs_.size());
        for (std::size_t feature = 0; feature < features; ++feature)
            if (const auto *column = choice_.map->find(choice_.features[feature]))
                mapped_.push_back({feature, column});
    }
    if (choice_.by_domain && has_private_rows()) domain_first_ = find_end(names, choice_.domain);
    if (choice_.by_group) group_first_ = find_end(names, choice_.group);
    source_.taker.begin(features);
    if (choice_.by_domain) target_.taker.begin(features);
}

// The header is public, and so is the wish.
void SampleSink::check_weights() const {
    if (choice_.weights.empty() || choice_.weighs_private || !has_private_rows()) return;
    throw Failure(kUsage, path_ + ": --weight " + choice_.weights +
                              ": the column is there, and weights of private rows need --set "
                              "row_weight_bound=W, a public number that they are clipped to; where "
                              "public rows alone have weights, rename the column here");
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
        group_ =
            schema::person_of(split_row(group_first_ ? first : last, separator_).texts.front());
    if (!choice_.by_domain) return source_.is_private;
    const std::string_view cell = domain_first_ ? first : last;
    current_ = domain(split_row(cell, separator_).texts.front());
    has_domain_ = current_ != nullptr;
    if (!has_domain_) current_ = target_.is_private ? &target_ : &source_;
    return current_->is_private;
}

void SampleSink::cell(std::size_t column, std::string_view text) {
    const Place place = places_[column];
    if (place.is_kept) kept_row_[place.kept] = text;
    if (place.is_input) read(inputs_[place.input], input_texts_[place.input], text);
    switch (place.role) {
        case Role::kUnused:
        case Role::kGroup:
            return;
        case Role::kFeature:
            read(cells_[place.feature], texts_[place.feature], text);
            return;
        case Role::kLabel:
            read(cells_.back(), texts_.back(), text);
            return;
        case Role::kScores:
            score_ = read_cell(text, format_);
            return;
        case Role::kWeight:
            weight_ = read_cell(text, format_);
            has_weight_ = true;
            if (has_private_rows()) return;
            if (weight_.kind == schema::Cell::Kind::number && weight_.number >= 0.0) return;
            throw CellError('"' + std::string(text) + "\" is no weight: a number of at least 0");
        case Role::kDomain:
            if (!has_private_rows()) has_domain_ = (current_ = domain(text)) != nullptr;
            if (has_domain_) return;
            throw CellError('"' + std::string(text) + "\" is neither " + choice_.source_word +
                            " nor " + choice_.target_word +
                            " (--domain COLUMN=SOURCE,TARGET names other words)");
    }
}

void SampleSink::read(schema::Cell &cell, std::string &kept, std::string_view text) const {
    cell = read_cell(text, format_);
    if (cell.kind == schema::Cell::Kind::text) cell.text = kept = cell.text;
}

/** Of one row by itself, by public factors. */
void SampleSink::map_inputs() {
    for (const auto &[feature, column] : mapped_) cells_[feature] = value_of(*column, inputs_);
}

/** Of one row by itself. */
void SampleSink::subtract_score() {
    using Kind = schema::Cell::Kind;
    schema::Cell &label = cells_.back();
    if (score_.kind != Kind::number) {
        label = {};
    } else if (label.kind == Kind::number) {
        label.number -= score_.number;
    }
}

/** A public row whose weight is none gets one that the library refuses, with the row's number; that
 *  of a private one counts as 0. */
double SampleSink::weight() const {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (!has_weight_) return kNone;
    if (weight_.kind == schema::Cell::Kind::number) return weight_.number;
    return current_->is_private ? kNone : -1.0;
}

void SampleSink::end_row(std::size_t line) {
    if (!choice_.scores.empty()) subtract_score();
    map_inputs();
    current_->taker.take(cells_, line, weight());
    kept_.insert(kept_.end(), kept_row_.begin(), kept_row_.end());
    add_group();
}

void SampleSink::add_group() {
    const bool of_target = !choice_.by_domain || current_ == &target_;
    if (choice_.by_group && of_target && current_->is_private) groups_.push_back(group_);
}

void SampleSink::end_null_row() {
    current_->taker.take_null();
    add_group();
}

std::string SampleSink::text(const Misfits &misfits) const {
    std::string text;
    for (const auto &[line, column, reason] : misfits.first) {
        const std::string &name = column.empty() ? choice_.label : column;
        const auto found = std::find(names_.begin(), names_.end(), name);
        const auto place = static_cast<std::size_t>(found - names_.begin());
        text += (text.empty() ? "" : "\n  ") +
                (found != names_.end() ? place_in_file(path_, line, place, name)
                                       : path_ + ": line " + std::to_string(line) + " (" + name +
                                             " by --source-map)") +
                ": " + reason;
    }
    const std::size_t rest = misfits.count - misfits.first.size();
    return text + (rest > 0 ? "\n  and " + std::to_string(rest) + " more" : "");
}

void SampleSink::check(const Misfits &misfits, const std::string &help) const {
    if (misfits.count == 0) return;
    const char *before = misfits.count > 1 ? "\n" : " ";
    throw Failure(kBadData, text(misfits) + (help.empty() ? "" : before + ('(' + help + ')')));
}

std::vector<std::string> SampleSink::unused(const std::vector<std::string> &ignored) const {
    std::vector<std::string> unused;
    for (std::size_t k = 0; k < names_.size(); ++k) {
        const bool is_told = names_[k] == choice_.domain || names_[k] == choice_.group ||
                             names_[k] == choice_.weights ||
                             std::find(ignored.begin(), ignored.end(), names_[k]) != ignored.end();
        const bool is_used =
            places_[k].role != Role::kUnused || places_[k].is_kept || places_[k].is_input;
        if (!is_used && !is_told) unused.push_back(names_[k]);
    }
    return unused;
}

SampleSink::Side *SampleSink::domain(std::string_view text) {
    if (text == choice_.source_word) return &source_;
    if (text == choice_.target_word) return &target_;
    return nullptr;
}

}  // namespace dpadapt::cli
