#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "base/control.hpp"
#include "records/task.hpp"

namespace dpadapt::records {

/** Called with the number of questions that are answered, before the next one. */
using Answered = std::function<void(std::size_t)>;

constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();

struct Schedule;

/** The only code that sees private records: it applies tasks to those of a sample, or of a part of
 *  it, and returns exact sums of integers. No feature, label or residual leaves it.
 *
 *  What is computed for a record is a function of that record and the task, in a fixed order of
 *  operations, so that no other record can influence it even through rounding. A record with a
 *  value that is not finite counts as zero, as does one without a label (NaN) where a task reads
 *  labels; nothing here fails or tells. Where the rows belong to
 *  persons, the same holds for a person and all of their rows: of gradients, outer products,
 *  comparisons, scores and errors the mean of a person's is added, of moments and losses, which
 *  discrepancies are made of, that of their first row; batches and the paper's steps are refused.
 */
class Accumulator {
  public:
    /** Borrows the rows, which are read and mapped a few at a time, so that they are not there
     *  twice; only what takes little memory is kept mapped for further sums. Their first one is
     *  record `first` of the sample. Without coordinates it can carry out score and error tasks
     *  only.
     *  @param unlabelled  As the tasks want it that will be carried out. */
    Accumulator(const Sample &rows, const Coordinates &coordinates, std::size_t threads,
                std::uint64_t first = 0, std::size_t rows_per_person = kAllRows,
                Unlabelled unlabelled = Unlabelled::nothing);
    Accumulator &operator=(Accumulator &&) = delete;
    ~Accumulator();

    [[nodiscard]] sums::VectorSum sum(const GradientTask &task, const Answered & = {}) const;
    [[nodiscard]] sums::OuterSum sum(const OuterTask &task, const Answered & = {}) const;
    [[nodiscard]] sums::MomentSum sum(const MomentTask &task, const Answered & = {}) const;
    [[nodiscard]] Tally sum(const LossTask &task, const Answered &answered = {}) const;
    [[nodiscard]] sums::VectorSum sum(const ComparisonTask &task, const Answered & = {}) const;
    [[nodiscard]] Tally sum(const ScoreTask &task, const Answered &answered = {}) const;
    [[nodiscard]] sums::VectorSum sum(const ErrorTask &task, const Answered & = {}) const;
    [[nodiscard]] PaperSum sum(const PaperTask &task, const Answered & = {}) const;
    [[nodiscard]] Counts sum(const CountTask &task, const Answered & = {}) const;
    [[nodiscard]] GramSum sum(const GramTask &task, const Answered & = {}) const;

  private:
    class Rows;
    struct Block;

    [[nodiscard]] Schedule schedule(std::size_t units, std::size_t threads) const;

    /** Throws Error(DPA_E_INTERNAL) where the rows belong to persons: such tasks are refused before
     *  anything is paid. */
    void require_records() const;

    /** Called before each reading of the rows: from the second one on they are kept in their
     *  coordinates, unless these take much memory. */
    void read_again() const;

    /** see(block) for the records begin <= i < end, or those of a batch, a few at a time. */
    void each_block(std::size_t begin, std::size_t end, std::size_t doubles, const auto &see) const;
    void each_block(std::span<const std::uint32_t> batch, std::size_t doubles,
                    const auto &see) const;
    /** The same of the records of the units begin <= i < end, unit after unit, and of the first one
     *  of each. */
    void each_unit(std::size_t begin, std::size_t end, std::size_t doubles, const auto &see) const;
    void each_first(std::size_t begin, std::size_t end, const auto &see) const;

    template <typename Terms, typename Loss>
    [[nodiscard]] sums::VectorSum sum_terms(const GradientTask &task, const Loss &loss) const;
    template <typename Terms, typename Loss>
    [[nodiscard]] PaperSum sum_terms(const PaperTask &task, const Loss &loss) const;
    [[nodiscard]] sums::OuterSum sum_products(const OuterTask &task,
                                              const ShrunkByRadius &shrink) const;
    /** ShrunkByLoss or ClippedByLoss. */
    [[nodiscard]] sums::OuterSum sum_products(const OuterTask &task, const auto &shrink) const;

    const Sample &sample_;
    std::size_t threads_;
    std::uint64_t first_;
    std::size_t rows_per_person_;
    std::unique_ptr<Rows> rows_;
    mutable std::size_t readings_ = 0;
};

}  // namespace dpadapt::records
