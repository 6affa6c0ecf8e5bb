#include "problem/stray_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/control.hpp"
#include "base/text.hpp"
#include "problem/quantile.hpp"

namespace dpadapt {

namespace {

constexpr double kMedianToDeviation = 1.4826;
constexpr double kFar = 20.0;           // robust deviations; docs/defaults.md
constexpr double kGap = 20.0;           // times as far as all cells between
constexpr double kGapOfCode = 4.0;      // where it is one value again and again
constexpr std::size_t kTimes = 3;       // that makes a code of it
constexpr std::size_t kLeastRows = 20;  // for one that is stray
constexpr std::size_t kMostDrawn = 4096;
constexpr std::size_t kCountedRows = 64;  // as work, at once

/** A column as most of its cells are. */
struct Bulk {
    double median = 0.0;
    double limit = std::numeric_limits<double>::infinity();  ///< of distances from it
    double farthest = 0.0;                                   ///< distance within the limit
    std::vector<std::pair<double, std::size_t>> beyond;      ///< distances and rows
};

/** Those that can be stray, and the one before, are the farthest; others need no memory. */
void forget_near(Bulk &bulk, std::size_t rows) {
    const auto needed = static_cast<std::ptrdiff_t>(rows / kLeastRows + 1);
    if (std::ssize(bulk.beyond) < 2 * needed) return;
    const auto first = bulk.beyond.end() - needed;
    std::nth_element(bulk.beyond.begin(), first, bulk.beyond.end());
    bulk.beyond.erase(bulk.beyond.begin(), first);
}

/** The features, and beyond them the label. */
class Cells {
  public:
    explicit Cells(const Sample &sample) : x_(sample.x()), y_(sample.y()) {}

    [[nodiscard]] double operator()(std::size_t row, std::size_t column) const {
        return column < x_.cols ? x_(row, column) : y_[row];
    }

    /** The first columns of a row. */
    void copy(std::size_t row, std::vector<double> &columns) const {
        const std::size_t features = std::min(columns.size(), x_.cols);
        if (x_.row_major)
            std::copy_n(x_.row(row), features, columns.begin());
        else
            for (std::size_t j = 0; j < features; ++j) columns[j] = x_(row, j);
        if (columns.size() > features) columns[features] = y_[row];
    }

    [[nodiscard]] std::size_t rows() const { return x_.rows; }
    [[nodiscard]] std::size_t drawn() const { return std::min(x_.rows, kMostDrawn); }

    /** The k-th of the rows that are drawn evenly. */
    [[nodiscard]] std::size_t row_drawn(std::size_t k) const { return k * x_.rows / drawn(); }

    /** Of the rows that are drawn. */
    [[nodiscard]] std::vector<double> finite(std::size_t column) const {
        std::vector<double> list;
        for (std::size_t k = 0; k < drawn(); ++k)
            if (const double value = (*this)(row_drawn(k), column); std::isfinite(value))
                list.push_back(value);
        return list;
    }

  private:
    linalg::MatrixView x_;
    const double *y_;
};

/** The ends of a column; NaN is no cell. */
struct Range {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void widen(double value) {
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
};

/** Counts a column's drawn cells in bins between its ends. One can be beyond the limit only if half
 *  of them lie within 2/kFar of the range. Nearly all columns are ruled out so, without sorting. */
class Frequencies {
  public:
    explicit Frequencies(const Range &range) : least_(range.least) {
        constexpr double kLeast = 1e-9;  // of a column's size: less may be rounding
        const double width = range.most - range.least;
        const double size = std::max(std::abs(range.least), std::abs(range.most));
        const double bins = (kBins - 1) / width;
        if (width > kLeast * size && std::isfinite(width) && std::isfinite(bins))
            bins_of_one_ = bins;
    }

    void count(double value) {
        if (std::isnan(value) || !tells()) return;
        ++cells_;
        ++bins_[static_cast<std::size_t>(static_cast<int>((value - least_) * bins_of_one_))];
    }

    [[nodiscard]] bool may_have_stray() const {
        if (!tells()) return true;
        std::size_t within = 0;
        for (std::size_t k = 0; k < kBins; ++k) {
            within += bins_[k];
            if (k >= kInterval) within -= bins_[k - kInterval];
            if (2 * within >= cells_) return true;
        }
        return false;
    }

  private:
    static constexpr std::size_t kBins = 128;
    /** Bins that such an interval touches, and one for rounding. */
    static constexpr std::size_t kInterval =
        static_cast<std::size_t>(2.0 * kBins / (kFar * kMedianToDeviation)) + 3;

    [[nodiscard]] bool tells() const { return bins_of_one_ > 0.0; }

    double least_;
    double bins_of_one_ = 0.0;
    std::size_t cells_ = 0;
    std::array<std::uint32_t, kBins> bins_{};
};

/** The columns in which cells can be stray. */
std::vector<std::size_t> suspects(const Cells &cells, std::size_t columns) {
    std::vector<Range> ranges(columns);
    std::vector<double> row(columns);
    for (std::size_t i = 0; i < cells.rows(); ++i) {
        if (i % kCountedRows == 0) count_work(kCountedRows, columns);
        cells.copy(i, row);
        for (std::size_t j = 0; j < columns; ++j) ranges[j].widen(row[j]);
    }
    std::vector<Frequencies> frequencies(ranges.begin(), ranges.end());
    for (std::size_t k = 0; k < cells.drawn(); ++k) {
        cells.copy(cells.row_drawn(k), row);
        for (std::size_t j = 0; j < columns; ++j) frequencies[j].count(row[j]);
    }
    std::vector<std::size_t> list;
    for (std::size_t j = 0; j < columns; ++j)
        if (frequencies[j].may_have_stray()) list.push_back(j);
    return list;
}

/** Where most cells are equal, as in an indicator, nearer ones of the others, here and beside, tell
 *  the deviation: in a rare indicator codes may be the majority of them. */
Bulk bulk_of(std::vector<double> drawn, const std::vector<double> &beside) {
    constexpr double kNearer = 0.1;
    constexpr double kRounding = 1e-12;
    Bulk bulk;
    if (drawn.size() < kLeastRows) return bulk;
    bulk.median = quantile(drawn, 0.5);
    for (double &value : drawn) value = std::abs(value - bulk.median);
    const double rounding = kRounding * std::abs(bulk.median);
    double typical = quantile(drawn, 0.5);
    if (typical <= rounding) {
        for (const double value : beside) drawn.push_back(std::abs(value - bulk.median));
        std::erase_if(drawn, [&](double distance) { return distance <= rounding; });
        if (drawn.empty()) return bulk;
        typical = quantile(std::move(drawn), kNearer);
    }
    bulk.limit = kFar * kMedianToDeviation * typical;
    return bulk;
}

/** The distance that is there most often from that place on, and how often; they are in order. */
std::pair<std::size_t, std::size_t> most_frequent(const Bulk &bulk, std::size_t first) {
    std::pair<std::size_t, std::size_t> best{first, 0};
    for (std::size_t k = first, begin = first; k < bulk.beyond.size(); ++k) {
        if (bulk.beyond[k].first != bulk.beyond[begin].first) begin = k;
        if (k + 1 - begin > best.second) best = {k, k + 1 - begin};
    }
    return best;
}

bool is_code(std::size_t times, std::size_t of) { return times >= kTimes && 2 * times >= of; }

/** The place of the innermost gap among the distances beyond the limit, or their number. Tails of
 *  measurements have gaps, too, but seldom one value behind them. */
std::size_t first_stray(const Bulk &bulk, std::size_t rows) {
    const std::size_t count = bulk.beyond.size();
    for (std::size_t k = count - std::min(count, rows / kLeastRows); k < count; ++k) {
        const double gap =
            bulk.beyond[k].first / (k == 0 ? bulk.farthest : bulk.beyond[k - 1].first);
        if (!(gap >= kGapOfCode)) continue;
        const std::size_t times = most_frequent(bulk, k).second;
        // mutant: long_tails_are_stray
        if (gap >= kGap || is_code(times, count - k)) return k;
    }
    return count;
}

}  // namespace

StrayCells::StrayCells(const Sample &sample, bool labels, const Sample *beside)
    : features_(sample.features()), rows_(sample.rows()) {
    const Cells cells(sample);
    const std::vector<std::size_t> suspect = suspects(cells, features_ + (labels ? 1 : 0));
    std::vector<Bulk> bulks;
    bulks.reserve(suspect.size());
    for (const std::size_t j : suspect)
        bulks.push_back(bulk_of(
            cells.finite(j), beside != nullptr ? Cells(*beside).finite(j) : std::vector<double>{}));
    const auto see = [&](Bulk &bulk, std::size_t row, double value) {
        const double distance = std::abs(value - bulk.median);
        if (distance <= bulk.farthest) return;
        if (distance <= bulk.limit) {
            bulk.farthest = distance;
        } else if (std::isfinite(distance)) {
            bulk.beyond.emplace_back(distance, row);
            forget_near(bulk, rows_);
        }
    };
    for (std::size_t i = 0; i < rows_; ++i) {
        if (i % kCountedRows == 0) count_work(kCountedRows, 4 * suspect.size());
        for (std::size_t k = 0; k < suspect.size(); ++k) see(bulks[k], i, cells(i, suspect[k]));
    }
    for (std::size_t k = 0; k < bulks.size(); ++k) {
        Bulk &bulk = bulks[k];
        std::sort(bulk.beyond.begin(), bulk.beyond.end());
        const std::size_t first = first_stray(bulk, rows_);
        if (first == bulk.beyond.size()) continue;
        const auto [at, times] = most_frequent(bulk, first);
        Column column{
            suspect[k], bulk.median, {}, cells(bulk.beyond[at].second, suspect[k]), times};
        for (std::size_t i = first; i < bulk.beyond.size(); ++i)
            column.rows.push_back(bulk.beyond[i].second);
        columns_.push_back(std::move(column));
    }
}

std::optional<Sample> StrayCells::without(const Sample &sample) const {
    if (columns_.empty()) return {};
    const bool labelled = !sample.unlabelled();
    Sample result = Sample::fill(rows_, features_, labelled, [&](double *x, double *y) {
        for (std::size_t i = 0; i < rows_; ++i)
            for (std::size_t j = 0; j < features_; ++j) x[i * features_ + j] = sample.x()(i, j);
        if (labelled) std::copy_n(sample.y(), rows_, y);
        for (const Column &column : columns_)
            for (const std::size_t i : column.rows) {
                if (column.number < features_)
                    x[i * features_ + column.number] = column.median;
                else
                    y[i] = std::numeric_limits<double>::quiet_NaN();
            }
    });
    result.weigh(sample.weights());
    if (!sample.has_places()) result.forget_places();
    return result;
}

bool StrayCells::Column::has_code() const { return is_code(times, rows.size()); }

std::vector<Code> StrayCells::codes() const {
    std::vector<Code> list;
    for (const Column &column : columns_)
        if (column.number < features_ && column.has_code())
            list.push_back({column.number, column.value, column.median});
    return list;
}

std::vector<std::string> StrayCells::sentences(const std::string &name, bool replaced) const {
    constexpr std::size_t kMost = 10;
    std::vector<std::string> list;
    for (const Column &column : columns_) {
        if (list.size() == kMost) {
            list.push_back(name + ": " + std::to_string(columns_.size() - kMost) +
                           " more columns have such cells.");
            break;
        }
        const bool label = column.number == features_;
        const std::size_t count = column.rows.size();
        list.push_back(
            name + ", " + (label ? "label: " : "column " + std::to_string(column.number) + ": ") +
            std::to_string(count) + " of " + std::to_string(rows_) +
            (count == 1              ? " is "
             : column.times == count ? " are "
                                     : " are as far off as ") +
            to_text(column.value) + "; a code for missing?" +
            (!replaced ? ""
             : label   ? " Such a row counts as one without a label."
                       : " The column's median replaces it" +
                           std::string(column.has_code() ? ", in predictions too." : ".")));
    }
    return list;
}

}  // namespace dpadapt
