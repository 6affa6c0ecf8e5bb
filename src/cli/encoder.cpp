#include "cli/encoder.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cli/arguments.hpp"
#include "cli/failure.hpp"

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

namespace {

std::size_t parse(const std::string &flag, const std::string &text) {
    int rows = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, rows);
    if (error != std::errc{} || stop != end || rows < 1) {
        throw Failure(kUsage, flag + " needs a number from 1 to " +
                                  std::to_string(std::numeric_limits<int>::max()) + ", not \"" +
                                  text + '"');
    }
    return static_cast<std::size_t>(rows);
}

/** As many numbers as there are private samples. */
void check_count(const std::string &flag, std::size_t numbers, std::size_t samples) {
    if (samples == 0) throw Failure(kUsage, flag + " is for private rows, and no row is private");
    if (numbers == samples) return;
    throw Failure(kUsage, flag + (samples == 1 ? " needs one number: one sample is private"
                                               : " needs two numbers: both samples are private"));
}

}  // namespace

FixedRows fixed_rows(const std::vector<std::string> &numbers, bool private_source,
                     bool private_target) {
    if (numbers.empty()) return {};
    const std::string flag = "--rows";
    check_count(flag, numbers.size(), (private_source ? 1U : 0U) + (private_target ? 1U : 0U));
    return {private_source ? parse(flag, numbers.front()) : 0,
            private_target ? parse(flag, numbers.back()) : 0};
}

std::size_t fixed_number_of_rows(const std::string &flag, const std::vector<std::string> &numbers,
                                 bool is_private) {
    if (numbers.empty()) return 0;
    check_count(flag, numbers.size(), is_private ? 1 : 0);
    return parse(flag, numbers.front());
}

void check_room(std::size_t rows, std::size_t columns) {
    const auto pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
    double memory = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        memory = std::min(memory, static_cast<double>(limit.rlim_cur));
    constexpr double kCopies = 3.0;  // the rows, and what a fit makes of them
    const double needed =
        kCopies * sizeof(double) * static_cast<double>(rows) * static_cast<double>(columns);
    if (needed <= memory) return;
    throw Failure(kUsage, "--rows " + std::to_string(rows) + " needs some " +
                              std::to_string(static_cast<std::uint64_t>(needed / 1e9) + 1) +
                              " GB of memory, and here are " +
                              std::to_string(static_cast<std::uint64_t>(memory / 1e9)) +
                              " (fit --memory SIZE reads rows piece by piece)");
}

}  // namespace dpadapt::cli
