#include "base/error.hpp"
#include "records/row_sample.hpp"
#include "records/rows.hpp"

namespace dpadapt::records {

Accumulator::Accumulator(const Sample &rows, const Coordinates &coordinates, std::size_t threads,
                         std::uint64_t first, std::size_t rows_per_person, Unlabelled unlabelled,
                         Control *control)
    : sample_(rows),
      threads_(threads),
      first_(first),
      rows_per_person_(rows_per_person),
      control_(control) {
    if (coordinates.features() == 0) return;
    if (coordinates.features() != rows.features())
        throw Error(DPA_E_DIMENSION, "private records have another number of features");
    rows_ = std::make_unique<Rows>(rows, coordinates, rows_per_person, unlabelled);
}

Accumulator::~Accumulator() = default;

Effort Accumulator::effort(std::size_t units, std::size_t threads) const {
    return {units, rows_ ? rows_->dimension() : sample_.features(), threads, control_};
}

void Accumulator::read_again() const {
    constexpr std::size_t kMostKept = std::size_t{1} << 24;  // 128 MiB
    if (++readings_ == 2 && rows_->count() <= kMostKept / rows_->dimension())
        rows_->keep(threads_, control_);
}

void Accumulator::require_records() const {
    if (sample_.persons() != nullptr)
        throw Error(DPA_E_INTERNAL, "this task is about records, but they belong to persons");
}

privacy::MomentSum Accumulator::sum(const MomentTask &task, const Answered & /*answered*/) const {
    read_again();
    const bool labelled = task.label_bound > 0.0;
    const auto add = [&](std::size_t begin, std::size_t end, privacy::MomentSum &sum) {
        each_first(begin, end, [&](const Block &block) {
            for (std::size_t i = 0; i < block.rows.rows; ++i)
                sum.add(block.row(i).data(), labelled ? block.rows.label[i] : 0.0);
        });
    };
    const std::size_t units = rows_->units().count();
    return sum_of_parts(units, effort(units, threads_), task.empty(rows_->dimension()), add);
}

GramSum Accumulator::sum(const GramTask &task, const Answered & /*answered*/) const {
    const auto add = [&](std::size_t begin, std::size_t end, GramSum &sum) {
        each_block(begin, end, 1, [&](const Block &block) {
            for (std::size_t i = 0; i < block.rows.rows; ++i)
                sum.add(block.row(i).data(), block.rows.label[i]);
        });
        sum.add_digest(digest_of_rows(sample_, begin, end));
    };
    return sum_of_parts(rows_->count(), effort(rows_->count(), threads_),
                        task.empty(rows_->dimension()), add);
}

Counts Accumulator::sum(const CountTask &task, const Answered & /*answered*/) const {
    const auto loss = loss::make_loss(task.loss, loss::Reading::private_records);
    const std::size_t step = records_at_a_time(rows_->dimension());
    const auto add = [&](std::size_t begin, std::size_t end, Counts &counts) {
        counts.merge(rows_->each_read(begin, end, step, [&](const Block &block) {
            for (std::size_t i = 0; i < block.rows.rows; ++i) {
                const double label = block.rows.label[i];
                if (std::isfinite(label) && !loss->accepts(label)) ++counts.not_finite;
            }
        }));
    };
    return sum_of_parts(rows_->count(),
                        effort(rows_->units().count(), loss->concurrent() ? threads_ : 1), Counts{},
                        add);
}

}  // namespace dpadapt::records
