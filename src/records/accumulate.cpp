#include "base/error.hpp"
#include "records/rows.hpp"

namespace dpadapt::records {

Accumulator::Accumulator(const Sample &rows, const Coordinates &coordinates, std::size_t threads,
                         std::uint64_t first, std::size_t rows_per_person)
    : sample_(rows), threads_(threads), first_(first) {
    if (coordinates.features() == 0) return;
    if (coordinates.features() != rows.features())
        throw Error(DPA_E_DIMENSION, "private records have another number of features");
    rows_ = std::make_unique<const Rows>(rows, coordinates, threads, rows_per_person);
}

Accumulator::~Accumulator() = default;

void Accumulator::require_records() const {
    if (sample_.persons() != nullptr)
        throw Error(DPA_E_INTERNAL, "this task is about records, but they belong to persons");
}

privacy::MomentSum Accumulator::sum(const MomentTask &task, const Answered & /*answered*/) const {
    require_records();
    const auto add = [&](std::size_t begin, std::size_t end, privacy::MomentSum &sum) {
        for (std::size_t i = begin; i < end; ++i) sum.add(rows_->row(i), *rows_->label(i));
    };
    return sum_of_parts(rows_->count(), threads_, task.empty(rows_->dimension()), add);
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
