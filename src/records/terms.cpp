#include "records/terms.hpp"

#include <cmath>

#include "base/error.hpp"
#include "records/arithmetic.hpp"

namespace dpadapt::records {

ScoredTerms::ScoredTerms(const ScoredLoss &loss)
    : task_(loss), loss_(loss::make_loss(loss.loss, loss::Reading::private_records)) {
    if (!loss::is_linear(loss.loss))
        throw Error(DPA_E_INTERNAL, "only linear scores have slopes by the rows");
}

void ScoredTerms::read(const loss::Block &rows, const double *norm) {
    rows_ = rows;
    norm_ = norm;
    const std::size_t outputs = loss().outputs();
    losses_.resize(rows.rows);
    scores_.resize(rows.rows * outputs);
    slopes_.resize(scores_.size());
    for (std::size_t k = 0; k < outputs; ++k)
        for (std::size_t i = 0; i < rows.rows; ++i)
            scores_[k * rows.rows + i] =
                product(task_.theta.memptr() + k * rows.features, row(i).data(), rows.features);
    loss().slopes(rows.rows, scores_.data(), rows.label, losses_.data(), slopes_.data());
    for (double &slope : slopes_) slope /= task_.slope_unit;
}

ScoredTerms::Derivatives ScoredTerms::derivatives(std::size_t i) const {
    constexpr double kAnyLabel = 1.0;  // each of these losses accepts it
    const double *label = rows_.label + i;
    Derivatives result;
    const bool features = std::isnan(*label) && !loss::curvature_depends_on_label(task_.loss);
    if (features) label = &kAnyLabel;
    if (!loss_->accepts(*label)) return result;
    const std::size_t outputs = loss().outputs();
    std::vector<double> score(outputs);
    std::vector<double> column(outputs);
    for (std::size_t k = 0; k < outputs; ++k) {
        score[k] = scores_[k * rows_.rows + i];
        if (!features) result.slope = std::hypot(result.slope, slopes_[k * rows_.rows + i]);
    }
    for (std::size_t k = 0; k < outputs; ++k) {
        std::vector<double> direction(outputs);
        direction[k] = 1.0;
        loss().curvatures(1, score.data(), label, direction.data(), column.data());
        double size = 0.0;
        for (const double entry : column) size += std::abs(entry);
        result.curvature = std::max(result.curvature, std::min(1.0, size / task_.slope_unit));
    }
    return result;
}

double ScoredTerms::factor(std::size_t i, double most, double share,
                           const std::optional<double> &clip) const {
    const double factor = clip ? most * share * slopes_[i] / *clip : share * slopes_[i];
    return factor_within(norm_[i], factor, most);
}

void ScoredTerms::write(std::size_t i, double most, double share, const std::optional<double> &clip,
                        std::span<double> out) const {
    multiply(factor(i, most, share, clip), row(i).data(), rows_.features, out.data());
}

double ScoredTerms::write(std::size_t i, const PaperTask &task, double v,
                          std::span<double> out) const {
    const double factor =
        factor_within(norm_[i], task.weight * slopes_[i] / v, task.weight * task.gradient_bound);
    multiply(factor, row(i).data(), rows_.features, out.data());
    return losses_[i];
}

MappedTerms::MappedTerms(const MappedLoss &loss)
    : task_(loss), loss_(loss::make_loss(loss.loss, loss::Reading::private_records)) {}

void MappedTerms::read(const loss::Block &rows, const double * /*norm*/) {
    losses_.resize(rows.rows);
    gradients_.resize(rows.rows * task_.theta.n_elem);
    loss_->evaluate(rows, task_.theta, losses_, gradients_);
}

std::span<const double> MappedTerms::gradient(std::size_t i) const {
    return std::span(gradients_).subspan(i * task_.theta.n_elem, task_.theta.n_elem);
}

void MappedTerms::write(std::size_t i, double most, double share, const std::optional<double> &clip,
                        std::span<double> out) const {
    const std::span<const double> by_theta = gradient(i);
    const auto &[scale, matrix] = task_.map;
    if (!matrix.is_empty()) {
        std::fill(out.begin(), out.end(), 0.0);
        for (std::size_t j = 0; j < by_theta.size(); ++j)
            add_column(by_theta[j], matrix.colptr(j), out.size(), out.data());
    } else if (!scale.is_empty()) {
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = by_theta[k] / scale(k);
    } else {
        std::copy(by_theta.begin(), by_theta.end(), out.begin());
    }
    scale_within(out, clip ? most * (share / *clip) : share, most);
}

double MappedTerms::write(std::size_t i, const PaperTask &task, double v,
                          std::span<double> out) const {
    const std::span<const double> by_theta = gradient(i);
    double square = 0.0;
    for (const double value : by_theta) square += value * value;
    const double norm = std::sqrt(square);
    if (!std::isfinite(losses_[i]) || !std::isfinite(norm)) {
        std::fill(out.begin(), out.end(), 0.0);
        return 0.0;
    }
    const double most = task.weight * task.gradient_bound;
    double factor = task.weight / v;
    if (factor * norm > most) factor = most / norm;
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = factor * by_theta[k];
    return std::min(losses_[i], task.loss_bound);
}

}  // namespace dpadapt::records
