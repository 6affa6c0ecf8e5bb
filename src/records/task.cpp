#include "records/task.hpp"

#include <algorithm>
#include <cmath>

#include "records/error_terms.hpp"

namespace dpadapt::records {
namespace {

const arma::vec &theta_of(const std::variant<ScoredLoss, MappedLoss> &loss) {
    return std::visit([](const auto &any) -> const arma::vec & { return any.theta; }, loss);
}

}  // namespace

const arma::vec &GradientTask::theta() const { return theta_of(loss); }

sums::VectorSum GradientTask::empty(std::size_t /*dimension*/) const {
    const std::size_t further =
        std::visit([](const auto &weights) { return weights.further(); }, weighting);
    return {theta().n_elem + further, grid};
}

std::size_t OuterTask::size(std::size_t dimension) const {
    const auto *by_radius = std::get_if<ShrunkByRadius>(&shrink);
    return dimension + (by_radius != nullptr && by_radius->label_scale ? 1 : 0);
}

double ComparisonTask::share_of_losses() const { return std::sqrt(1.0 - counted * counted); }

sums::VectorSum ComparisonTask::empty(std::size_t /*dimension*/) const {
    return {std::max(coordinates, predictors.size() + (counted > 0.0 ? 1 : 0)), grid};
}

Unlabelled unlabelled_records(const OuterTask &task) {
    const auto *by_radius = std::get_if<ShrunkByRadius>(&task.shrink);
    const auto *by_loss = std::get_if<ShrunkByLoss>(&task.shrink);
    const bool reads = by_radius != nullptr ? by_radius->label_scale.has_value()
                       : by_loss != nullptr ? loss::curvature_depends_on_label(by_loss->loss.loss)
                                            : true;  // which gradients are clipped
    return reads ? Unlabelled::nothing : Unlabelled::features;
}

sums::VectorSum ErrorTask::empty(std::size_t /*dimension*/) const {
    return {error_dimension(*this), grid};
}

const arma::vec &PaperTask::theta() const { return theta_of(loss); }

PaperSum PaperTask::empty(std::size_t /*dimension*/) const {
    return PaperSum(sums::VectorSum(theta().n_elem, grid));
}

}  // namespace dpadapt::records
