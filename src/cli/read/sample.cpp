#include "cli/read/sample.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <utility>

#include "cli/read/arguments.hpp"
#include "cli/read/failure.hpp"

namespace dpadapt::cli {

namespace {

/** A public random number for the record of that number. */
std::uint64_t random_of(std::uint64_t record) {
    record = (record ^ (record >> 30)) * 0xbf58476d1ce4e5b9;
    record = (record ^ (record >> 27)) * 0x94d049bb133111eb;
    return record ^ (record >> 31);
}

}  // namespace

std::size_t rows_held(std::size_t memory, std::size_t numbers) {
    // As many as the library holds of rows that are elsewhere are no burden here.
    constexpr std::size_t kFewRows = 65536;
    constexpr std::size_t kFewNumbers = std::size_t{1} << 24;
    return std::max({memory / 2 / sizeof(double) / numbers,
                     std::min(kFewRows, kFewNumbers / numbers), std::size_t{1}});
}

void TableTaker::begin(std::size_t columns) {
    table_ = schema::Table(columns + 1);
    most_ = rows_held(memory_, columns + 1);
}

void TableTaker::take(std::span<const schema::Cell> cells, std::size_t line, double weight) {
    if (skips_unlabelled_ && cells.back().kind == schema::Cell::Kind::missing) {
        ++skipped_;
        return;
    }
    const std::uint64_t random = random_of(++taken_);
    if ((random & left_out_) != 0) return;
    table_.add(cells);
    lines_.push_back(static_cast<std::uint32_t>(line));
    weights_.push_back(weight);
    if (memory_ == 0) return;
    chosen_.push_back(random);
    while (table_.rows() > most_) thin();
}

/** Keeps about half of the rows, in their order. */
void TableTaker::thin() {
    left_out_ = 2 * left_out_ + 1;
    schema::Table fewer(table_.columns());
    std::vector<schema::Cell> cells(table_.columns());
    std::size_t kept = 0;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
        if ((chosen_[row] & left_out_) != 0) continue;
        for (std::size_t k = 0; k < cells.size(); ++k) cells[k] = table_.cell(row, k);
        fewer.add(cells);
        lines_[kept] = lines_[row];
        weights_[kept] = weights_[row];
        chosen_[kept++] = chosen_[row];
    }
    lines_.resize(kept);
    weights_.resize(kept);
    chosen_.resize(kept);
    table_ = std::move(fewer);
}

void TableTaker::take_null() {
    ++taken_;
    table_.add_null();
    lines_.push_back(0);
    weights_.push_back(std::numeric_limits<double>::quiet_NaN());
}

void TableTaker::give(const std::vector<std::size_t> &columns, RecordTaker &taker) const {
    taker.begin(columns.size());
    std::vector<schema::Cell> cells(columns.size() + 1);
    for (std::size_t row = 0; row < table_.rows(); ++row) {
        for (std::size_t k = 0; k < columns.size(); ++k)
            cells[k] = columns[k] == kAbsent ? schema::Cell{} : table_.cell(row, columns[k]);
        cells.back() = table_.cell(row, table_.columns() - 1);
        table_.is_null(row) ? taker.take_null() : taker.take(cells, lines_[row], weights_[row]);
    }
}

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
    using schema::Cell;
    if (!has_room()) return;
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
    count();
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
    if (!has_room()) return;
    ++sample_.tally.no_record;
    sample_.x.insert(sample_.x.end(), row_.size(), kNone);
    if (is_labelled_) sample_.y.push_back(kNone);
    if (sample_.weighs) sample_.weights.push_back(kNone);
    count();
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
