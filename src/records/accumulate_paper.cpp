#include "records/rows.hpp"
#include "records/terms.hpp"

namespace dpadapt::records {

template <typename Terms, typename Loss>
PaperSum Accumulator::sum_terms(const PaperTask &task, const Loss &loss) const {
    require_records();
    std::vector<std::int64_t> losses(rows_->count());
    const auto add = [&](std::size_t begin, std::size_t end, privacy::VectorSum &sum) {
        Terms terms(loss);
        SecretVector<double> gradient(loss.theta.n_elem);
        each_block(begin, end, Terms::doubles(loss), [&](const Block &block) {
            terms.read(block.rows, block.norm);
            for (std::size_t i = 0; i < block.rows.rows; ++i) {
                const std::size_t record = block.begin + i;
                const double v = task.v(first_ + record);
                const double clipped = terms.write(i, task, v, gradient);
                losses[record] =
                    privacy::round_entry(clipped / (v * v), task.loss_unit, task.loss_most);
                sum.add(gradient);
            }
        });
    };
    const PaperSum empty = task.empty(rows_->dimension());
    privacy::VectorSum gradient = sum_of_parts(
        rows_->count(), effort(rows_->count(), Terms(loss).concurrent() ? threads_ : 1),
        empty.gradient(), add);
    return {std::move(gradient), first_, std::move(losses)};
}

PaperSum Accumulator::sum(const PaperTask &task, const Answered & /*answered*/) const {
    read_again();
    const auto *scored = std::get_if<ScoredLoss>(&task.loss);
    return scored != nullptr ? sum_terms<ScoredTerms>(task, *scored)
                             : sum_terms<MappedTerms>(task, std::get<MappedLoss>(task.loss));
}

}  // namespace dpadapt::records
