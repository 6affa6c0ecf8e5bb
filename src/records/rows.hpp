#pragma once

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "base/secret.hpp"
#include "records/accumulator.hpp"
#include "records/units.hpp"

namespace dpadapt::records {

/** The private records in their coordinates. A private class, in a header that only the accumulator
 *  includes: nobody else can even name it. */
class Accumulator::Rows {
  public:
    Rows(const Sample &sample, const Coordinates &coordinates, std::size_t threads,
         std::size_t rows_per_person, Unlabelled unlabelled, Control *control);

    [[nodiscard]] const Units &units() const { return units_; }
    [[nodiscard]] std::size_t count() const { return label_.size(); }
    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] const double *row(std::size_t i) const { return rows_.data() + i * dimension_; }
    [[nodiscard]] const double *label(std::size_t i) const { return label_.data() + i; }
    [[nodiscard]] const double *norm(std::size_t i) const { return norm_.data() + i; }
    [[nodiscard]] const Counts &neutralised() const { return neutralised_; }

  private:
    Units units_;
    std::size_t dimension_;
    SecretVector<double> rows_;  ///< row after row
    SecretVector<double> label_;
    SecretVector<double> norm_;
    Counts neutralised_;
};

/** Who carries out a task, and how often they ask whether to go on. */
struct Effort {
    std::size_t threads;
    Control *control;    ///< asked before each piece but the first; may be null
    std::size_t pieces;  ///< a public number, as that of the units is

    Effort(std::size_t units, std::size_t numbers, std::size_t of_threads, Control *asked);
};

/** A few records, one after another. */
struct Accumulator::Block {
    std::size_t begin;  ///< place of the first one among the rows, or in the batch
    loss::Block rows;
    const double *norm;

    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return {rows.x + i * rows.features, rows.features};
    }
};

/** How many records are taken at a time when each needs that many doubles. */
[[nodiscard]] inline std::size_t records_at_a_time(std::size_t doubles) {
    constexpr std::size_t kMostRecords = 64;
    constexpr std::size_t kMostDoubles = 65536;
    return std::clamp<std::size_t>(kMostDoubles / std::max<std::size_t>(doubles, 1), 1,
                                   kMostRecords);
}

/** The sum of parts of so many records: add(begin, end, part) adds the records begin <= i < end.
 *  Parts are exact integers, so neither threads nor pauses matter. */
template <typename Sum, typename Add>
[[nodiscard]] Sum sum_of_parts(std::size_t records, const Effort &effort, const Sum &empty,
                               const Add &add) {
    constexpr std::size_t kLeastRecords = 256;  // of a thread
    const std::size_t lanes =
        std::max<std::size_t>(1, std::min(effort.threads, records / kLeastRecords));
    std::vector<Sum> parts(lanes, empty);
    for (std::size_t piece = 0; piece < effort.pieces; ++piece) {
        if (piece > 0 && effort.control != nullptr) effort.control->pause();
        const std::size_t first = records * piece / effort.pieces;
        const std::size_t count = records * (piece + 1) / effort.pieces - first;
        parallel_for(lanes, effort.threads, [&](std::size_t lane) {
            add(first + count * lane / lanes, first + count * (lane + 1) / lanes, parts[lane]);
        });
    }
    for (std::size_t lane = 1; lane < lanes; ++lane) parts.front().merge(parts[lane]);
    return std::move(parts.front());
}

template <typename See>
void Accumulator::each_block(std::size_t begin, std::size_t end, std::size_t doubles,
                             const See &see) const {
    const std::size_t step = records_at_a_time(doubles);
    for (; begin < end; begin += step) {
        const std::size_t count = std::min(step, end - begin);
        see(Block{begin,
                  {count, rows_->dimension(), rows_->row(begin), rows_->label(begin)},
                  rows_->norm(begin)});
    }
}

template <typename See>
void Accumulator::each_unit(std::size_t begin, std::size_t end, std::size_t doubles,
                            const See &see) const {
    if (!rows_->units().persons()) return each_block(begin, end, doubles, see);
    each_block(rows_->units().rows(begin, end), doubles, see);
}

template <typename See>
void Accumulator::each_block(std::span<const std::uint32_t> batch, std::size_t doubles,
                             const See &see) const {
    const std::size_t step = records_at_a_time(doubles);
    const std::size_t d = rows_->dimension();
    SecretVector<double> x(step * d);
    SecretVector<double> label(step);
    SecretVector<double> norm(step);
    for (std::size_t begin = 0; begin < batch.size(); begin += step) {
        const std::size_t count = std::min(step, batch.size() - begin);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t record = batch[begin + i];
            std::copy_n(rows_->row(record), d, x.data() + i * d);
            label[i] = *rows_->label(record);
            norm[i] = *rows_->norm(record);
        }
        see(Block{begin, {count, d, x.data(), label.data()}, norm.data()});
    }
}

}  // namespace dpadapt::records
