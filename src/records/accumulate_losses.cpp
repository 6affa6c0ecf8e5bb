#include <cmath>

#include "privacy/permute_and_flip.hpp"
#include "records/error_terms.hpp"
#include "records/rows.hpp"
#include "solution/predict.hpp"

namespace dpadapt::records {
namespace {

/** trunc(2^30 loss / bound) for a loss in [0, bound]; one that is not finite counts as 0. */
std::int64_t rounded_loss(double loss, double bound) {
    // mutant: losses_unbounded, nan_among_the_losses
    const double clipped = std::isfinite(loss) ? std::clamp(loss, 0.0, bound) : 0.0;
    return static_cast<std::int64_t>(std::ldexp(clipped / bound, Tally::kBits));
}

/** (2 weight loss / bound - 1) in [-1, 1]; a loss that is not a number is the bound. */
double centred_loss(double loss, double bound, double weight) {
    const double clipped = std::isnan(loss) ? bound : std::clamp(loss, 0.0, bound);
    return 2.0 * (weight * clipped) / bound - 1.0;
}

/** Of a record that counts as nothing all features are 0, the constant too. */
bool has_label(const loss::Loss &loss, const loss::Block &rows, double norm, std::size_t i) {
    return norm > 0.0 && loss.accepts(rows.label[i]);
}

/** One number, so that parts of it can be merged. */
struct Total {
    std::int64_t value = 0;
    void merge(const Total &other) { value += other.value; }
};

}  // namespace

Tally Accumulator::sum(const LossTask &task, const Answered &answered) const {
    const auto loss = loss::make_loss(task.loss, loss::Reading::private_records);
    const Units &units = rows_->units();
    std::vector<std::int64_t> sums;
    for (const arma::vec &theta : task.predictors) {
        if (answered) answered(sums.size());
        read_again();
        const auto add = [&](std::size_t begin, std::size_t end, Total &sum) {
            SecretVector<double> losses;
            const auto add_block = [&](const Block &block) {
                losses.resize(block.rows.rows);
                loss->evaluate(block.rows, theta, losses, {});
                for (const double value : losses) sum.value += rounded_loss(value, task.bound);
            };
            each_first(begin, end, add_block);
        };
        sums.push_back(sum_of_parts(units.count(),
                                    schedule(units.count(), loss->concurrent() ? threads_ : 1),
                                    Total{}, add)
                           .value);
    }
    return {units.count(), std::move(sums)};
}

sums::VectorSum Accumulator::sum(const ComparisonTask &task, const Answered & /*answered*/) const {
    read_again();
    const auto loss = loss::make_loss(task.loss, loss::Reading::private_records);
    const std::size_t candidates = task.predictors.size();
    const double share = task.share_of_losses() / std::sqrt(static_cast<double>(candidates));
    const auto add = [&](std::size_t begin, std::size_t end, sums::VectorSum &sum) {
        std::vector<SecretVector<double>> losses(candidates);
        SecretVector<double> term(sum.sums().size());
        UnitTerms terms(rows_->units(), begin, sum);
        each_unit(begin, end, candidates, [&](const Block &block) {
            for (std::size_t k = 0; k < candidates; ++k) {
                const arma::vec &theta = task.predictors[k];
                losses[k].resize(block.rows.rows);
                loss->evaluate(block.rows, theta, losses[k], {});
            }
            for (std::size_t i = 0; i < block.rows.rows; ++i) {
                const double weight = block.weight_of(i);
                for (std::size_t k = 0; k < candidates; ++k)
                    term[k] = share * centred_loss(losses[k][i], task.bound, weight);
                const bool labelled = has_label(*loss, block.rows, block.norm[i], i);
                const double counted = labelled ? weight : 0.0;
                if (task.counted > 0.0)
                    term[candidates] =
                        candidates == 0 ? 2.0 * counted - 1.0 : task.counted * counted;
                terms.add(term);
            }
        });
    };
    return sum_of_parts(rows_->units().count(),
                        schedule(rows_->units().count(), loss->concurrent() ? threads_ : 1),
                        task.empty(0), add);
}

Tally Accumulator::sum(const ScoreTask &task, const Answered &answered) const {
    const Units units(sample_, rows_per_person_);
    std::vector<std::int64_t> sums;  // of at most 2^30 for each of less than 2^31 rows
    for (const Solution &candidate : task.candidates) {
        if (answered) answered(sums.size());
        const auto score_of = [&](std::size_t begin, std::size_t end) {
            std::int64_t score = 0;
            for (const double loss : validation_losses(candidate, sample_.part(begin, end),
                                                       task.loss, Evaluation::one_by_one))
                score += privacy::clipped_score(loss, task.bound);
            return score;
        };
        const auto add = [&](std::size_t begin, std::size_t end, Total &sum) {
            if (!units.persons()) sum.value += score_of(begin, end);
            for (; units.persons() && begin < end; ++begin) {
                std::int64_t score = 0;
                for (const std::uint32_t row : units.rows(begin, begin + 1))
                    score += score_of(row, row + 1U);
                const auto size = static_cast<std::int64_t>(units.size(begin));
                // mutant: a_person_scores_with_every_row
                sum.value += score / size;
            }
        };
        sums.push_back(
            sum_of_parts(units.count(), schedule(units.count(), threads_), Total{}, add).value);
    }
    return {units.count(), std::move(sums)};
}

sums::VectorSum Accumulator::sum(const ErrorTask &task, const Answered & /*answered*/) const {
    const std::vector<ErrorTerm> terms = error_terms(task);
    const std::size_t count = task.solutions.size();
    const Units units(sample_, rows_per_person_);
    const auto add = [&](std::size_t begin, std::size_t end, sums::VectorSum &sum) {
        std::vector<double> contribution(sum.sums().size());
        std::vector<RowError> of_record(count);
        UnitTerms added(units, begin, sum);
        const auto add_rows = [&](std::size_t first, std::size_t last) {
            const Sample part = sample_.part(first, last);
            std::vector<std::vector<RowError>> errors;
            for (const Solution &solution : task.solutions)
                errors.push_back(row_errors(solution, part, Evaluation::one_by_one));
            for (std::size_t i = 0; i < part.rows(); ++i) {
                for (std::size_t k = 0; k < count; ++k) of_record[k] = errors[k][i];
                write_errors(task, terms, of_record, contribution);
                added.add(contribution);
            }
        };
        if (units.persons()) {
            for (const std::uint32_t row : units.rows(begin, end)) add_rows(row, row + 1U);
            return;
        }
        const std::size_t step = records_at_a_time(count * sample_.features());
        for (; begin < end; begin += step) add_rows(begin, std::min(end, begin + step));
    };
    return sum_of_parts(units.count(), schedule(units.count(), threads_), task.empty(0), add);
}

}  // namespace dpadapt::records
