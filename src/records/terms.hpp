#pragma once

#include "base/secret.hpp"
#include "loss/score_loss.hpp"
#include "records/task.hpp"

namespace dpadapt::records {

/** Losses and gradient terms of a few records, with one linear score each or more. */
class ScoredTerms {
  public:
    static constexpr bool kMultiples = true;  ///< gradient terms are multiples of the rows

    /** Borrows the loss; throws Error(DPA_E_INTERNAL) for one whose scores are not linear. */
    explicit ScoredTerms(const ScoredLoss &loss);

    /** Doubles that a record takes. */
    [[nodiscard]] static std::size_t doubles(const ScoredLoss & /*loss*/) { return 1; }
    [[nodiscard]] bool concurrent() const { return true; }

    /** Reads the records of which the rest speaks; norm[i] is that of the row. */
    void read(const loss::Block &rows, const double *norm);

    [[nodiscard]] double loss(std::size_t i) const { return losses_[i]; }

    /** By the scores of a record, in slope units; 0 where its label has no meaning, and the slope
     *  of one without a label. */
    struct Derivatives {
        double slope = 0.0;      ///< norm of the gradient
        double curvature = 0.0;  ///< bound of the norm of the Hessian, in [0, 1]
    };
    [[nodiscard]] Derivatives derivatives(std::size_t i) const;

    /** The gradient term of GradientTask is this multiple of the record's row. */
    [[nodiscard]] double factor(std::size_t i, double most, double share,
                                const std::optional<double> &clip) const;
    void write(std::size_t i, double most, double share, const std::optional<double> &clip,
               std::span<double> out) const;

    /** The gradient term of PaperTask, and the loss of its integer. */
    double write(std::size_t i, const PaperTask &task, double v, std::span<double> out) const;

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

    explicit MappedTerms(const MappedLoss &loss);

    [[nodiscard]] static std::size_t doubles(const MappedLoss &loss) { return loss.theta.n_elem; }
    [[nodiscard]] bool concurrent() const { return loss_->concurrent(); }

    void read(const loss::Block &rows, const double *norm);
    [[nodiscard]] double loss(std::size_t i) const { return losses_[i]; }
    void write(std::size_t i, double most, double share, const std::optional<double> &clip,
               std::span<double> out) const;
    double write(std::size_t i, const PaperTask &task, double v, std::span<double> out) const;

  private:
    [[nodiscard]] std::span<const double> gradient(std::size_t i) const;

    const MappedLoss &task_;
    std::unique_ptr<const loss::Loss> loss_;
    SecretVector<double> losses_;
    SecretVector<double> gradients_;
};

}  // namespace dpadapt::records
