#include "cli/record_taker.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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

}  // namespace dpadapt::cli
