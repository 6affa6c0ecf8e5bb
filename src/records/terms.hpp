#pragma once

#include <cmath>

#include "base/error.hpp"
#include "base/secret.hpp"
#include "loss/score_loss.hpp"
#include "records/task.hpp"

namespace dpadapt::records {

/** Losses and gradient terms of a few records, with one linear score each or more. */
class ScoredTerms {
  public:
    static constexpr bool kMultiples = true;  ///< gradient terms are multiples of the rows

    /** Borrows the loss; throws Error(DPA_E_INTERNAL) for one whose scores are not linear. */
    explicit ScoredTerms(const ScoredLoss &loss)
        : task_(loss), loss_(loss::make_loss(loss.loss, loss::Reading::private_records)) {
        if (!loss::is_linear(loss.loss))
            throw Error(DPA_E_INTERNAL, "only linear scores have slopes by the rows");
    }

    /** Doubles that a record takes. */
    [[nodiscard]] static std::size_t doubles(const ScoredLoss & /*loss*/) { return 1; }
    [[nodiscard]] bool concurrent() const { return true; }

    /** Reads the records of which the rest speaks; norm[i] is that of the row. */
    void read(const loss::Block &rows, const double *norm) {
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

    [[nodiscard]] double loss(std::size_t i) const { return losses_[i]; }

    /** By the scores of a record, in slope units; 0 where its label has no meaning, and the slope
     *  of one without a label. */
    struct Derivatives {
        double slope = 0.0;      ///< norm of the gradient
        double curvature = 0.0;  ///< bound of the norm of the Hessian, in [0, 1]
    };
    [[nodiscard]] Derivatives derivatives(std::size_t i) const {
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

    /** The gradient term of GradientTask is this multiple of the record's row. */
    [[nodiscard]] double factor(std::size_t i, double most, double share,
                                const std::optional<double> &clip) const {
        const double factor = clip ? most * share * slopes_[i] / *clip : share * slopes_[i];
        return factor_within(norm_[i], factor, most);
    }
    void write(std::size_t i, double most, double share, const std::optional<double> &clip,
               std::span<double> out) const {
        multiply(factor(i, most, share, clip), row(i).data(), rows_.features, out.data());
    }

    /** The gradient term of PaperTask, and the loss of its integer. */
    double write(std::size_t i, const PaperTask &task, double v, std::span<double> out) const {
        const double factor = factor_within(norm_[i], task.weight * slopes_[i] / v,
                                            task.weight * task.gradient_bound);
        multiply(factor, row(i).data(), rows_.features, out.data());
        return losses_[i];
    }

  private:
    [[nodiscard]] const loss::ScoreLoss &loss() const { return *loss_->output(); }
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return {rows_.x + i * rows_.features, rows_.features};
    }

    const ScoredLoss &task_;
    std::unique_ptr<const loss::Loss> loss_;
    loss::Block rows_;
    const double *norm_ = nullptr;
    SecretVector<double> losses_;
    SecretVector<double> scores_;
    SecretVector<double> slopes_;  ///< in slope units; score after score
};

/** Losses and gradient terms of a few records, for any loss. */
class MappedTerms {
  public:
    static constexpr bool kMultiples = false;

    explicit MappedTerms(const MappedLoss &loss)
        : task_(loss), loss_(loss::make_loss(loss.loss, loss::Reading::private_records)) {}

    [[nodiscard]] static std::size_t doubles(const MappedLoss &loss) { return loss.theta.n_elem; }
    [[nodiscard]] bool concurrent() const { return loss_->concurrent(); }

    void read(const loss::Block &rows, const double * /*norm*/) {
        losses_.resize(rows.rows);
        gradients_.resize(rows.rows * task_.theta.n_elem);
        loss_->evaluate(rows, task_.theta, losses_, gradients_);
    }
    [[nodiscard]] double loss(std::size_t i) const { return losses_[i]; }
    void write(std::size_t i, double most, double share, const std::optional<double> &clip,
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
    double write(std::size_t i, const PaperTask &task, double v, std::span<double> out) const {
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

  private:
    [[nodiscard]] std::span<const double> gradient(std::size_t i) const {
        return std::span(gradients_).subspan(i * task_.theta.n_elem, task_.theta.n_elem);
    }

    const MappedLoss &task_;
    std::unique_ptr<const loss::Loss> loss_;
    SecretVector<double> losses_;
    SecretVector<double> gradients_;
};

}  // namespace dpadapt::records
