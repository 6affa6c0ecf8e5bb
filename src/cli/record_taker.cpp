#include "cli/record_taker.hpp"

#include <limits>

namespace dpadapt::cli {

void TableTaker::take(std::span<const schema::Cell> cells, std::size_t line, double weight) {
    if (skips_unlabelled_ && cells.back().kind == schema::Cell::Kind::missing) {
        ++skipped_;
        return;
    }
    table_.add(cells);
    lines_.push_back(static_cast<std::uint32_t>(line));
    weights_.push_back(weight);
}

void TableTaker::take_null() {
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
