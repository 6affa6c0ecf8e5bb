#include "records/survey_sum.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt::records {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_finite(double value) { return std::isfinite(value); }

}  // namespace

SurveySum::SurveySum(std::size_t width, std::size_t most)
    : lowest_(width, kInfinity), highest_(width, -kInfinity), sample_(width, most) {}

void SurveySum::add(const Sample &rows) {
    std::vector<double> row(lowest_.size());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        ++records_;
        const RowKind kind = read_row(rows, i, row);
        if (kind == RowKind::damaged) ++damaged_;
        if (kind == RowKind::unlabelled) ++unlabelled_;
        if (kind != RowKind::labelled) continue;
        for (std::size_t j = 0; j < row.size(); ++j) {
            lowest_[j] = std::min(lowest_[j], row[j]);
            highest_[j] = std::max(highest_[j], row[j]);
        }
        sample_.add(row.data());
    }
}

void SurveySum::merge(const SurveySum &other) {
    sample_.merge(other.sample_);  // first, as it may fail
    records_ += other.records_;
    damaged_ += other.damaged_;
    unlabelled_ += other.unlabelled_;
    for (std::size_t j = 0; j < lowest_.size(); ++j) {
        lowest_[j] = std::min(lowest_[j], other.lowest_[j]);
        highest_[j] = std::max(highest_[j], other.highest_[j]);
    }
}

void SurveySum::write(bytes::Writer &to) const {
    to(records_);
    to(damaged_);
    to(unlabelled_);
    to(lowest_);
    to(highest_);
    sample_.write(to);
}

void SurveySum::read(bytes::Reader &from) {
    const std::size_t width = lowest_.size();
    from(records_);
    from(damaged_);
    from(unlabelled_);
    from(lowest_);
    from(highest_);
    if (lowest_.size() != width || highest_.size() != width)
        from.damaged("of another number of columns");
    if (damaged_ > records_ || unlabelled_ > records_ - damaged_)
        from.damaged("its records cannot add up to that");
    for (std::size_t j = 0; j < width; ++j)
        if (labelled() == 0
                ? lowest_[j] != kInfinity || highest_[j] != -kInfinity
                : !(is_finite(lowest_[j]) && is_finite(highest_[j]) && lowest_[j] <= highest_[j]))
            from.damaged("its bounds are none");
    sample_.read(from, labelled());
    const RowSample::Kept kept = sample_.kept();
    std::size_t j = 0;
    for (const double value : kept.values) {
        if (value < lowest_[j] || value > highest_[j])
            from.damaged("its rows are not between its bounds");
        if (++j == width) j = 0;
    }
}

}  // namespace dpadapt::records
