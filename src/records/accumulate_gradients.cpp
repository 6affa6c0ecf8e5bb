#include "records/rows.hpp"
#include "records/terms.hpp"

namespace dpadapt::records {
namespace {

/** The places of a batch's records in a part of the sample. */
std::vector<std::uint32_t> places_in(const std::vector<std::uint32_t> &batch, std::uint64_t first,
                                     std::size_t count) {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t record : batch)
        if (record >= first && record - first < count)
            places.push_back(static_cast<std::uint32_t>(record - first));
    return places;
}

}  // namespace

template <typename Terms, typename Loss>
privacy::VectorSum Accumulator::sum_terms(const GradientTask &task, const Loss &loss) const {
    const std::size_t parameters = loss.theta.n_elem;
    const bool all = task.batch.empty();
    const bool persons = rows_->units().persons();
    if (!all) require_records();
    const std::vector<std::uint32_t> places = places_in(task.batch, first_, rows_->count());
    const auto add = [&](std::size_t begin, std::size_t end, privacy::VectorSum &sum) {
        Terms terms(loss);
        SecretVector<double> term(sum.sums().size());
        const std::span<double> gradient = std::span(term).first(parameters);
        const std::span<double> further = std::span(term).subspan(parameters);
        UnitTerms added(rows_->units(), begin, sum);
        SecretVector<double> factors;
        const auto add_by = [&](const auto &weights) {
            const auto weigh = weights.weigh();
            const auto add_block = [&](const Block &block) {
                terms.read(block.rows, block.norm);
                // Multiples of the rows, and nothing else, are added many at a time.
                if constexpr (Terms::kMultiples) {
                    if (further.empty() && block.weight == nullptr && !persons) {
                        factors.resize(block.rows.rows);
                        for (std::size_t i = 0; i < factors.size(); ++i)
                            factors[i] = terms.factor(i, task.most, weigh(terms.loss(i), further),
                                                      task.clip);
                        sum.add_multiples(factors, block.rows.x);
                        return;
                    }
                }
                for (std::size_t i = 0; i < block.rows.rows; ++i) {
                    const double share = weigh(terms.loss(i), further);
                    terms.write(i, task.most, share, task.clip, gradient);
                    weights.measure(gradient, further);
                    // mutant: row_weights_forgotten
                    const double weight = block.weight_of(i);
                    if (weight != 1.0)
                        for (double &value : term) value *= weight;
                    added.add(term);
                }
            };
            if (all) {
                each_unit(begin, end, Terms::doubles(loss), add_block);
            } else {
                each_block(std::span(places).subspan(begin, end - begin), Terms::doubles(loss),
                           add_block);
            }
        };
        std::visit(add_by, task.weighting);
    };
    const std::size_t count = all ? rows_->units().count() : places.size();
    return sum_of_parts(count, effort(count, Terms(loss).concurrent() ? threads_ : 1),
                        task.empty(rows_->dimension()), add);
}

privacy::VectorSum Accumulator::sum(const GradientTask &task, const Answered & /*answered*/) const {
    read_again();
    const auto *scored = std::get_if<ScoredLoss>(&task.loss);
    return scored != nullptr ? sum_terms<ScoredTerms>(task, *scored)
                             : sum_terms<MappedTerms>(task, std::get<MappedLoss>(task.loss));
}

}  // namespace dpadapt::records
