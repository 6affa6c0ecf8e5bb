#include "cli/read/sample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/splitmix.hpp"
#include "cli/read/text.hpp"

namespace dpadapt::cli {

namespace {

bool is_missing(const schema::Cell &cell) { return cell.kind == schema::Cell::Kind::missing; }

std::string why_no_label(const schema::Schema &schema, const schema::Cell &cell) {
    if (schema.labels.names().empty()) return why_no_number(spelling(cell));
    return '"' + spelling(cell) + "\" is none of the labels \"" +
           joined(schema.labels.names(), "\", \"") + '"';
}

}  // namespace

std::size_t rows_held(std::size_t memory, std::size_t numbers) {
    // As many as the library holds of rows that are elsewhere are no burden here.
    constexpr std::size_t kFewRows = 65536;
    constexpr std::size_t kFewNumbers = std::size_t{1} << 24;
    return std::max({memory / 2 / sizeof(double) / numbers,
                     std::min(kFewRows, kFewNumbers / numbers), std::size_t{1}});
}

void TableSink::begin(std::size_t columns) {
    table_ = schema::Table(columns + 1);
    most_ = rows_held(memory_, columns + 1);
}

void TableSink::take(std::span<const schema::Cell> cells, std::size_t line, double weight) {
    if (skips_unlabelled_ && is_missing(cells.back())) {
        ++skipped_;
    } else {
        add(&cells, line, weight);
    }
}

void TableSink::add(const std::span<const schema::Cell> *cells, std::size_t line, double weight) {
    const std::uint64_t random = SplitMix64::mixed(++taken_);
    if ((random & left_out_) != 0) return;
    cells != nullptr ? table_.add(*cells) : table_.add_null();
    row_info_.push_back({static_cast<std::uint32_t>(line), weight, random});
    while (memory_ > 0 && table_.rows() > most_) thin();
}

/** Keeps about half of the rows, in their order. */
void TableSink::thin() {
    left_out_ = 2 * left_out_ + 1;
    schema::Table fewer(table_.columns());
    std::vector<schema::Cell> cells(table_.columns());
    std::size_t kept = 0;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
        if ((row_info_[row].random & left_out_) != 0) continue;
        for (std::size_t k = 0; k < cells.size(); ++k) cells[k] = table_.cell(row, k);
        fewer.add(cells);
        row_info_[kept++] = row_info_[row];
    }
    row_info_.resize(kept);
    table_ = std::move(fewer);
}

void TableSink::give(const std::vector<std::size_t> &columns, RecordSink &sink) const {
    sink.begin(columns.size());
    std::vector<schema::Cell> cells(columns.size() + 1);
    for (std::size_t row = 0; row < table_.rows(); ++row) {
        for (std::size_t k = 0; k < columns.size(); ++k)
            cells[k] = columns[k] == kAbsent ? schema::Cell{} : table_.cell(row, columns[k]);
        cells.back() = table_.cell(row, table_.columns() - 1);
        table_.is_null(row) ? sink.take_null()
                            : sink.take(cells, row_info_[row].line, row_info_[row].weight);
    }
}

Encoder::Encoder(const schema::Schema &schema, bool is_labelled, Sample &sample,
                 bool keeps_unlabelled)
    : schema_(schema),
      is_labelled_(is_labelled),
      keeps_unlabelled_(keeps_unlabelled),
      sample_(sample),
      unknown_(schema.uses()),
      row_(schema.features().size()),
      fits_(schema.uses()) {
    sample_.tally.columns.resize(schema.uses());
}

void Encoder::gives_away(std::size_t most, std::size_t fixed, See see) {
    see_ = std::move(see);
    most_ = most;
    is_fixed_ = fixed > 0;
    if (is_fixed_) left_ = fixed;
}

void Encoder::finish() {
    while (is_fixed_ && left_ > 0) take_null();
    if (see_ && !sample_.y.empty()) give();
}

/** It does not grow by doubling where its size is known. */
bool Encoder::has_room() {
    if (see_ && left_ > 0 && sample_.y.empty()) {
        sample_.x.reserve(most_ * row_.size());
        sample_.y.reserve(most_);
    }
    return left_ > 0;
}

void Encoder::count() {
    --left_;
    if (see_ && sample_.y.size() == most_) give();
}

void Encoder::give() {
    see_(sample_);
    sample_.x.clear();
    sample_.y.clear();
}

void Encoder::take(std::span<const schema::Cell> cells, std::size_t line, double weight) {
    if (!has_room()) return;
    schema_.encode(cells, row_, fits_);
    for (std::size_t k = 0; k < fits_.size(); ++k)
        ++sample_.tally.columns[k][static_cast<std::size_t>(fits_[k])];
    if (!sample_.is_private) {
        if (is_labelled_ && !keeps_unlabelled_ && is_missing(cells.back())) {
            ++sample_.tally.no_label;
            return;
        }
        check_public(cells, line);
        ++rows_;
    }
    if (sample_.is_private ? sample_.weighs : !std::isnan(weight))
        sample_.weights.push_back(weight);
    sample_.x.insert(sample_.x.end(), row_.begin(), row_.end());
    if (is_labelled_) sample_.y.push_back(label(cells.back()));
    count();
}

void Encoder::check_public(std::span<const schema::Cell> cells, std::size_t line) {
    const std::size_t before = invalid_.count;
    for (std::size_t k = 0; k < fits_.size(); ++k) {
        if (fits_[k] == schema::Fit::no_number)
            invalid_.add(line, schema_.use(k),
                         k < schema_.columns.size() ? why_no_number(cells[k].text)
                                                    : "it has no finite value");
        if (fits_[k] == schema::Fit::unknown_level) unknown_[k].add(cells[k]);
    }
    if (is_labelled_ && (!is_missing(cells.back()) || !keeps_unlabelled_) &&
        std::isnan(schema_.labels.encode(cells.back())))
        invalid_.add(line, "", why_no_label(schema_, cells.back()));
    if (invalid_.count > before && !keeps_invalid_) row_.assign(row_.size(), kNone);
}

double Encoder::label(const schema::Cell &cell) {
    const double value = schema_.labels.encode(cell);
    if (std::isnan(value))
        ++(is_missing(cell) ? sample_.tally.no_label : sample_.tally.unknown_label);
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
    if (!has_room()) return;
    ++sample_.tally.no_record;
    sample_.x.insert(sample_.x.end(), row_.size(), kNone);
    if (is_labelled_) sample_.y.push_back(kNone);
    if (sample_.weighs) sample_.weights.push_back(kNone);
    count();
}

}  // namespace dpadapt::cli
