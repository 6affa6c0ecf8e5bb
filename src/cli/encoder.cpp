#include "cli/encoder.hpp"

#include <cmath>
#include <limits>

#include "cli/number.hpp"

namespace dpadapt::cli {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string why_no_label(const schema::Schema &schema, const schema::Cell &cell) {
    if (schema.labels.names().empty()) return why_no_number(spelling(cell));
    std::string names;
    for (const std::string &name : schema.labels.names())
        names += (names.empty() ? "" : ", ") + ('"' + name + '"');
    return '"' + spelling(cell) + "\" is none of the labels " + names;
}

}  // namespace

Encoder::Encoder(const schema::Schema &schema, bool is_labelled, Sample &sample,
                 bool keeps_unlabelled)
    : schema_(schema),
      is_labelled_(is_labelled),
      keeps_unlabelled_(keeps_unlabelled),
      sample_(sample),
      unknown_(schema.columns.size()),
      row_(schema.features().size()),
      fits_(schema.columns.size()) {
    sample_.tally.columns.resize(schema.columns.size());
}

void Encoder::begin(std::size_t /*columns*/) {}

void Encoder::take(std::span<const schema::Cell> cells, std::size_t line, double weight) {
    using schema::Cell;
    schema_.encode(cells, row_, fits_);
    for (std::size_t k = 0; k < fits_.size(); ++k)
        ++sample_.tally.columns[k][static_cast<std::size_t>(fits_[k])];
    if (!sample_.is_private) {
        if (is_labelled_ && !keeps_unlabelled_ && cells.back().kind == Cell::Kind::missing) {
            ++sample_.tally.no_label;
            return;
        }
        take_public(cells, line);
        ++rows_;
        if (!std::isnan(weight)) sample_.weights.push_back(weight);
    } else if (sample_.weighs) {
        sample_.weights.push_back(weight);
    }
    sample_.x.insert(sample_.x.end(), row_.begin(), row_.end());
    if (is_labelled_) sample_.y.push_back(label(cells.back()));
}

void Encoder::take_public(std::span<const schema::Cell> cells, std::size_t line) {
    const std::size_t before = misfits_.count;
    for (std::size_t k = 0; k < fits_.size(); ++k) {
        if (fits_[k] == schema::Fit::no_number)
            misfits_.add(line, schema_.columns[k].name(), why_no_number(cells[k].text));
        if (fits_[k] == schema::Fit::unknown_level) unknown_[k].add(cells[k]);
    }
    const bool has_label = cells.back().kind != schema::Cell::Kind::missing;
    if (is_labelled_ && (has_label || !keeps_unlabelled_) &&
        std::isnan(schema_.labels.encode(cells.back())))
        misfits_.add(line, "", why_no_label(schema_, cells.back()));
    if (misfits_.count > before && !keeps_misfits_) row_.assign(row_.size(), kNone);
}

double Encoder::label(const schema::Cell &cell) {
    const double value = schema_.labels.encode(cell);
    const bool is_missing = cell.kind == schema::Cell::Kind::missing;
    if (std::isnan(value)) ++(is_missing ? sample_.tally.no_label : sample_.tally.unknown_label);
    return value;
}

std::vector<std::string> Encoder::unknown_levels() const {
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < unknown_.size(); ++k)
        if (unknown_[k].count > 0)
            lines.push_back(schema::unfit_cells(schema_.columns[k], schema::Fit::unknown_level,
                                                unknown_[k], rows_));
    return lines;
}

void Encoder::take_null() {
    ++sample_.tally.no_record;
    sample_.x.insert(sample_.x.end(), row_.size(), kNone);
    if (is_labelled_) sample_.y.push_back(kNone);
    if (sample_.weighs) sample_.weights.push_back(kNone);
}

}  // namespace dpadapt::cli
