#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"
#include "base/secret.hpp"
#include "records/accumulator.hpp"
#include "records/row_map.hpp"
#include "records/units.hpp"

namespace dpadapt::records {

/** The private records, and how they are read. A private class, in a header that only the
 *  accumulator includes: nobody else can even name it. */
class Accumulator::Rows {
  public:
    /** Borrows the sample. */
    Rows(const Sample &sample, const Coordinates &coordinates, std::size_t rows_per_person,
         Unlabelled unlabelled);

    /** Reads all records, and keeps them in their coordinates. */
    void keep(std::size_t threads);
    [[nodiscard]] bool kept() const { return !label_.empty(); }

    /** Some of those that are kept, one after another. */
    [[nodiscard]] Block kept_block(std::size_t begin, std::size_t end) const;

    /** see(block) for the records begin <= i < end as the sample has them, at most `most` at a
     *  time. Returns what was neutralised. */
    [[nodiscard]] Counts each_read(std::size_t begin, std::size_t end, std::size_t most,
                                   const auto &see) const;

    [[nodiscard]] const Units &units() const { return units_; }
    [[nodiscard]] std::size_t count() const { return sample_.rows(); }
    [[nodiscard]] std::size_t dimension() const { return coordinates_.dimension(); }
    [[nodiscard]] bool weighs() const { return coordinates_.weight_bound > 0.0; }

    class Blocks;

  private:
    /** In [0, 1]. */
    [[nodiscard]] double weight_of(std::size_t record) const;

    const Sample &sample_;
    Coordinates coordinates_;
    Unlabelled unlabelled_;
    Units units_;
    RowMap whitening_;
    RowMap map_;
    UnsetSecretVector<double> zeta_;  ///< of all records, or empty; row after row
    UnsetSecretVector<double> label_;
    UnsetSecretVector<double> norm_;
    UnsetSecretVector<double> weight_;  ///< empty: 1 each
};

/** A few records in their coordinates, one after another. */
struct Accumulator::Block {
    std::size_t begin;  ///< place of the first one among the rows, or in the batch
    loss::Block rows;
    const double *norm;
    const double *weight;  ///< in [0, 1], 1 for a null record; null: 1 each

    [[nodiscard]] double weight_of(std::size_t i) const {
        return weight != nullptr ? weight[i] : 1.0;
    }
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return {rows.x + i * rows.features, rows.features};
    }
};

/** Reads some records at a time, into memory that belongs to a thread. */
class Accumulator::Rows::Blocks {
  public:
    /** For blocks of `most` records. */
    Blocks(const Rows &rows, std::size_t most);

    /** The records of these numbers, `begin` being the place of the first. Valid until the next
     *  ones are read. */
    Block read(std::span<const std::uint32_t> records, std::size_t begin);

    /** The same of records that are kept. */
    Block copy(std::span<const std::uint32_t> records, std::size_t begin);

    /** What was neutralised. */
    [[nodiscard]] const Counts &found() const { return found_; }

  private:
    void read_features(std::span<const std::uint32_t> records, double *raw, std::size_t stride);
    [[nodiscard]] bool is_finite(std::size_t record) const;
    void clip(double *z);
    [[nodiscard]] Block block(std::size_t begin, std::size_t records, const double *zeta) const;
    [[nodiscard]] double *coordinates_of(std::span<const std::uint32_t> records);
    [[nodiscard]] double label_of(std::size_t record, double *zeta, double &norm);
    double neutralise(double *zeta, double &norm);

    const Rows &rows_;
    SecretVector<double> raw_;  ///< before whitening
    SecretVector<double> z_;
    SecretVector<double> made_;  ///< by hidden units
    SecretVector<double> zeta_;
    SecretVector<double> label_;
    SecretVector<double> norm_;
    SecretVector<double> weight_;  ///< empty: 1 each
    SecretVector<char> kept_;
    loss::HiddenUnits hidden_;
    Counts found_;
};

/** Who carries out a task, and how often they ask whether to go on. */
struct Schedule {
    std::size_t threads;
    std::size_t pieces;  ///< a public number, as that of the units is; calls can be stopped between

    Schedule(std::size_t units, std::size_t numbers, std::size_t of_threads);
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
[[nodiscard]] Sum sum_of_parts(std::size_t records, const Schedule &schedule, const Sum &empty,
                               const Add &add) {
    constexpr std::size_t kLeastRecords = 256;  // of a thread
    const std::size_t lanes =
        std::max<std::size_t>(1, std::min(schedule.threads, records / kLeastRecords));
    std::vector<Sum> parts(lanes, empty);
    for (std::size_t piece = 0; piece < schedule.pieces; ++piece) {
        if (piece > 0) pause_call();
        const std::size_t first = records * piece / schedule.pieces;
        const std::size_t count = records * (piece + 1) / schedule.pieces - first;
        parallel_for(lanes, schedule.threads, [&](std::size_t lane) {
            const ControlScope nobody;  // asks within, by private numbers of rows
            add(first + count * lane / lanes, first + count * (lane + 1) / lanes, parts[lane]);
        });
    }
    for (std::size_t lane = 1; lane < lanes; ++lane) parts.front().merge(parts[lane]);
    return std::move(parts.front());
}

Counts Accumulator::Rows::each_read(std::size_t begin, std::size_t end, std::size_t most,
                                    const auto &see) const {
    Blocks blocks(*this, most);
    std::vector<std::uint32_t> records(most);
    for (; begin < end; begin += most) {
        const std::size_t count = std::min(most, end - begin);
        std::iota(records.begin(), records.end(), static_cast<std::uint32_t>(begin));
        see(blocks.read(std::span(records).first(count), begin));
    }
    return blocks.found();
}

void Accumulator::each_block(std::size_t begin, std::size_t end, std::size_t doubles,
                             const auto &see) const {
    const std::size_t step = records_at_a_time(std::max(doubles, rows_->dimension()));
    if (!rows_->kept()) {
        (void)rows_->each_read(begin, end, step, see);
        return;
    }
    for (; begin < end; begin += step) see(rows_->kept_block(begin, std::min(end, begin + step)));
}

void Accumulator::each_block(std::span<const std::uint32_t> batch, std::size_t doubles,
                             const auto &see) const {
    const std::size_t step = records_at_a_time(std::max(doubles, rows_->dimension()));
    Rows::Blocks blocks(*rows_, step);
    for (std::size_t begin = 0; begin < batch.size(); begin += step) {
        const auto records = batch.subspan(begin, std::min(step, batch.size() - begin));
        see(rows_->kept() ? blocks.copy(records, begin) : blocks.read(records, begin));
    }
}

void Accumulator::each_unit(std::size_t begin, std::size_t end, std::size_t doubles,
                            const auto &see) const {
    if (rows_->units().persons())
        each_block(rows_->units().rows(begin, end), doubles, see);
    else
        each_block(begin, end, doubles, see);
}

void Accumulator::each_first(std::size_t begin, std::size_t end, const auto &see) const {
    if (rows_->units().persons())
        each_block(rows_->units().first_rows(begin, end), 1, see);
    else
        each_block(begin, end, 1, see);
}

}  // namespace dpadapt::records
