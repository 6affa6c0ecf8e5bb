#include <cmath>

#include "base/error.hpp"
#include "records/rows.hpp"
#include "records/terms.hpp"
#include "sums/survey_sum.hpp"

namespace dpadapt::records {

Accumulator::Accumulator(const Sample &rows, const Coordinates &coordinates, std::size_t threads,
                         std::uint64_t first, std::size_t rows_per_person, Unlabelled unlabelled)
    : sample_(rows), threads_(threads), first_(first), rows_per_person_(rows_per_person) {
    if (coordinates.features() == 0) return;
    if (coordinates.features() != rows.features())
        throw Error(DPA_E_DIMENSION, "private records have another number of features");
    rows_ = std::make_unique<Rows>(rows, coordinates, rows_per_person, unlabelled);
}

Accumulator::~Accumulator() = default;

Schedule Accumulator::schedule(std::size_t units, std::size_t threads) const {
    return {units, rows_ ? rows_->dimension() : sample_.features(), threads};
}

void Accumulator::read_again() const {
    constexpr std::size_t kMostKept = std::size_t{1} << 24;  // 128 MiB
    if (++readings_ == 2 && rows_->count() <= kMostKept / rows_->dimension()) rows_->keep(threads_);
}

void Accumulator::require_records() const {
    if (sample_.persons() != nullptr)
        throw Error(DPA_E_INTERNAL, "this task is about records, but they belong to persons");
}

sums::MomentSum Accumulator::sum(const MomentTask &task, const Answered & /*answered*/) const {
    read_again();
    const bool labelled = task.label_bound > 0.0;
    const auto add = [&](std::size_t begin, std::size_t end, sums::MomentSum &sum) {
        each_first(begin, end, [&](const Block &block) {
            for (std::size_t i = 0; i < block.rows.rows; ++i)
                sum.add(block.row(i).data(), labelled ? block.rows.label[i] : 0.0);
        });
    };
    const std::size_t units = rows_->units().count();
    return sum_of_parts(units, schedule(units, threads_), task.empty(rows_->dimension()), add);
}

GramSum Accumulator::sum(const GramTask &task, const Answered & /*answered*/) const {
    const auto add = [&](std::size_t begin, std::size_t end, GramSum &sum) {
        each_block(begin, end, 1, [&](const Block &block) {
            for (std::size_t i = 0; i < block.rows.rows; ++i)
                sum.add(block.row(i).data(), block.rows.label[i]);
        });
        sum.add_digest(sums::digest_of_rows(sample_, begin, end));
    };
    return sum_of_parts(rows_->count(), schedule(rows_->count(), threads_),
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
                        schedule(rows_->units().count(), loss->concurrent() ? threads_ : 1),
                        Counts{}, add);
}

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

/** What a record of that norm is multiplied by, in units in which the largest product is 1. */
double factor_of(const ShrunkByLoss &shrink, const ScoredTerms::Derivatives &at, double norm) {
    const double term = at.slope * norm;
    const double weight = at.curvature * (term > shrink.clip ? shrink.clip / term : 1.0);
    const double square = norm * norm;
    const double most = shrink.most;
    return std::sqrt((square * weight > most ? most / square : weight) / most);
}

double factor_of(const ClippedByLoss &shrink, const ScoredTerms::Derivatives &at, double norm) {
    const double term = at.slope * norm;
    if (shrink.gradients) return term > shrink.clip ? 1.0 / norm : at.slope / shrink.clip;
    if (term > shrink.clip) return 0.0;
    const double square = norm * norm;
    const double weight = at.curvature;
    return std::sqrt((square * weight > shrink.most ? shrink.most / square : weight) / shrink.most);
}

/** How a record's weight enters the vector whose product is summed: squares of gradients are of
 *  weighted ones. */
double vector_weight(const ShrunkByLoss & /*shrink*/, double weight) { return std::sqrt(weight); }

double vector_weight(const ClippedByLoss &shrink, double weight) {
    return shrink.gradients ? weight : std::sqrt(weight);
}

}  // namespace

template <typename Terms, typename Loss>
sums::VectorSum Accumulator::sum_terms(const GradientTask &task, const Loss &loss) const {
    const std::size_t parameters = loss.theta.n_elem;
    const bool all = task.batch.empty();
    const bool persons = rows_->units().persons();
    if (!all) require_records();
    const std::vector<std::uint32_t> places = places_in(task.batch, first_, rows_->count());
    const auto add = [&](std::size_t begin, std::size_t end, sums::VectorSum &sum) {
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
    const std::size_t units = rows_->units().count();  // a drawn batch's number is private
    return sum_of_parts(all ? units : places.size(),
                        schedule(units, Terms(loss).concurrent() ? threads_ : 1),
                        task.empty(rows_->dimension()), add);
}

sums::VectorSum Accumulator::sum(const GradientTask &task, const Answered & /*answered*/) const {
    read_again();
    const auto *scored = std::get_if<ScoredLoss>(&task.loss);
    return scored != nullptr ? sum_terms<ScoredTerms>(task, *scored)
                             : sum_terms<MappedTerms>(task, std::get<MappedLoss>(task.loss));
}

template <typename Terms, typename Loss>
PaperSum Accumulator::sum_terms(const PaperTask &task, const Loss &loss) const {
    require_records();
    std::vector<std::int64_t> losses(rows_->count());
    const auto add = [&](std::size_t begin, std::size_t end, sums::VectorSum &sum) {
        Terms terms(loss);
        SecretVector<double> gradient(loss.theta.n_elem);
        each_block(begin, end, Terms::doubles(loss), [&](const Block &block) {
            terms.read(block.rows, block.norm);
            for (std::size_t i = 0; i < block.rows.rows; ++i) {
                const std::size_t record = block.begin + i;
                const double v = task.v(first_ + record);
                const double clipped = terms.write(i, task, v, gradient);
                losses[record] =
                    sums::round_entry(clipped / (v * v), task.loss_unit, task.loss_most);
                sum.add(gradient);
            }
        });
    };
    const PaperSum empty = task.empty(rows_->dimension());
    sums::VectorSum gradient = sum_of_parts(
        rows_->count(), schedule(rows_->count(), Terms(loss).concurrent() ? threads_ : 1),
        empty.gradient(), add);
    return {std::move(gradient), first_, std::move(losses)};
}

PaperSum Accumulator::sum(const PaperTask &task, const Answered & /*answered*/) const {
    read_again();
    const auto *scored = std::get_if<ScoredLoss>(&task.loss);
    return scored != nullptr ? sum_terms<ScoredTerms>(task, *scored)
                             : sum_terms<MappedTerms>(task, std::get<MappedLoss>(task.loss));
}

sums::OuterSum Accumulator::sum_products(const OuterTask &task, const auto &shrink) const {
    const auto add = [&](std::size_t begin, std::size_t end, sums::OuterSum &sum) {
        ScoredTerms terms(shrink.loss);
        SecretVector<double> out(rows_->dimension());
        UnitProducts products(rows_->units(), begin, sum);
        each_unit(begin, end, 1, [&](const Block &block) {
            terms.read(block.rows, block.norm);
            for (std::size_t i = 0; i < block.rows.rows; ++i) {
                const double times = factor_of(shrink, terms.derivatives(i), block.norm[i]) *
                                     vector_weight(shrink, block.weight_of(i));
                const std::span<const double> zeta = block.row(i);
                for (std::size_t k = 0; k < out.size(); ++k) out[k] = times * zeta[k];
                products.add(out);
            }
        });
    };
    return sum_of_parts(rows_->units().count(), schedule(rows_->units().count(), threads_),
                        task.empty(rows_->dimension()), add);
}

sums::OuterSum Accumulator::sum_products(const OuterTask &task,
                                         const ShrunkByRadius &shrink) const {
    // Names, not structured bindings, which clang 14 does not capture.
    const double radius = shrink.radius;
    const double feature_scale = shrink.feature_scale;
    const std::optional<double> label_scale = shrink.label_scale;
    const std::size_t d = rows_->dimension();
    const auto add = [&](std::size_t begin, std::size_t end, sums::OuterSum &sum) {
        SecretVector<double> out(task.size(d));
        UnitProducts products(rows_->units(), begin, sum);
        each_unit(begin, end, 1, [&](const Block &block) {
            for (std::size_t i = 0; i < block.rows.rows; ++i) {
                const double norm = block.norm[i];
                const double factor =
                    norm > radius ? feature_scale * (radius / norm) : feature_scale;
                for (std::size_t k = 0; k < d; ++k) out[k] = factor * block.row(i)[k];
                if (label_scale) out[d] = *label_scale * block.rows.label[i];
                const double weight = std::sqrt(block.weight_of(i));
                for (double &value : out) value *= weight;
                products.add(out);
            }
        });
    };
    return sum_of_parts(rows_->units().count(), schedule(rows_->units().count(), threads_),
                        task.empty(d), add);
}

sums::OuterSum Accumulator::sum(const OuterTask &task, const Answered & /*answered*/) const {
    read_again();
    return std::visit([&](const auto &shrink) { return sum_products(task, shrink); }, task.shrink);
}

}  // namespace dpadapt::records
