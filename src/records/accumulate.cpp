#include "base/error.hpp"
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
    rows_ = std::make_unique<const Rows>(rows, coordinates, threads, rows_per_person, unlabelled,
                                         control);
}

Accumulator::~Accumulator() = default;

Effort Accumulator::effort(std::size_t units, std::size_t threads) const {
    return {units, rows_ ? rows_->dimension() : sample_.features(), threads, control_};
}

void Accumulator::require_records() const {
    if (sample_.persons() != nullptr)
        throw Error(DPA_E_INTERNAL, "this task is about records, but they belong to persons");
}

privacy::MomentSum Accumulator::sum(const MomentTask &task, const Answered & /*answered*/) const {
    const Units &units = rows_->units();
    const auto add = [&](std::size_t begin, std::size_t end, privacy::MomentSum &sum) {
        const bool labelled = task.label_bound > 0.0;
        for (; begin < end; ++begin) {
            // Of a person the first row: the mean of several exact moments is none.
            // mutant: moments_of_every_row
            const std::size_t count = 1;
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t i = units.row(begin, k);
                sum.add(rows_->row(i), labelled ? *rows_->label(i) : 0.0);
            }
        }
    };
    return sum_of_parts(units.count(), effort(units.count(), threads_),
                        task.empty(rows_->dimension()), add);
}

Counts Accumulator::sum(const CountTask &task, const Answered & /*answered*/) const {
    const auto loss = loss::make_loss(task.loss, loss::Reading::private_records);
    Counts counts = rows_->neutralised();
    for (std::size_t i = 0; i < rows_->count(); ++i) {
        const double label = *rows_->label(i);
        if (std::isfinite(label) && !loss->accepts(label)) ++counts.not_finite;
    }
    return counts;
}

}  // namespace dpadapt::records
