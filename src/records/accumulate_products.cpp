#include <cmath>

#include "records/rows.hpp"
#include "records/terms.hpp"

namespace dpadapt::records {

namespace {

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

template <typename ByLoss>
privacy::OuterSum Accumulator::sum_products(const OuterTask &task, const ByLoss &shrink) const {
    const auto add = [&](std::size_t begin, std::size_t end, privacy::OuterSum &sum) {
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
    return sum_of_parts(rows_->units().count(), effort(rows_->units().count(), threads_),
                        task.empty(rows_->dimension()), add);
}

privacy::OuterSum Accumulator::sum_products(const OuterTask &task,
                                            const ShrunkByRadius &shrink) const {
    // Names, not structured bindings, which clang 14 does not capture.
    const double radius = shrink.radius;
    const double feature_scale = shrink.feature_scale;
    const std::optional<double> label_scale = shrink.label_scale;
    const std::size_t d = rows_->dimension();
    const auto add = [&](std::size_t begin, std::size_t end, privacy::OuterSum &sum) {
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
    return sum_of_parts(rows_->units().count(), effort(rows_->units().count(), threads_),
                        task.empty(d), add);
}

privacy::OuterSum Accumulator::sum(const OuterTask &task, const Answered & /*answered*/) const {
    read_again();
    return std::visit([&](const auto &shrink) { return sum_products(task, shrink); }, task.shrink);
}

}  // namespace dpadapt::records
