#include "solution/validation_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "loss/score_loss.hpp"

namespace dpadapt {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

std::vector<double> label_losses(const Solution &candidate, const Sample &rows, SelectionLoss loss,
                                 Evaluation evaluation) {
    const double level = candidate.loss.quantile_level;
    std::vector<double> losses = predict(candidate, rows.x(), evaluation);
    for (std::size_t i = 0; i < losses.size(); ++i) {
        const double residual = losses[i] - rows.y()[i];
        losses[i] = loss == SelectionLoss::squared ? residual * residual
                    : !std::isfinite(residual)     ? kNothing
                    : loss == SelectionLoss::pinball
                        ? std::max(-level * residual, (1.0 - level) * residual)
                        : (residual != 0.0 ? 1.0 : 0.0);
    }
    return losses;
}

/** Of the label's probability, by the loss that the candidate's scores are made for. */
std::vector<double> logistic_losses(const Solution &candidate, const Sample &rows,
                                    Evaluation evaluation) {
    const auto loss = loss::make_loss(candidate.loss, loss::Reading::public_records);
    const std::size_t n = rows.rows();
    const std::vector<double> score = scores(candidate, rows.x(), evaluation);
    std::vector<double> of_row(candidate.outputs());
    std::vector<double> losses(n, kNothing);
    for (std::size_t i = 0; i < n; ++i) {
        if (!loss->accepts(rows.y()[i])) continue;
        bool finite = true;
        for (std::size_t k = 0; k < of_row.size(); ++k) {
            of_row[k] = score[k * n + i];
            finite = finite && std::isfinite(of_row[k]);
        }
        if (finite) loss->output()->slopes(1, of_row.data(), rows.y() + i, &losses[i], nullptr);
    }
    return losses;
}

}  // namespace

std::vector<bool> finite_rows(const Sample &rows) {
    const linalg::MatrixView &x = rows.x();
    std::vector<bool> finite(x.rows);
    for (std::size_t i = 0; i < x.rows; ++i) {
        double none = rows.y()[i] - rows.y()[i];  // NaN of what is not finite, and stays it
        for (std::size_t j = 0; j < x.cols; ++j) none += x(i, j) - x(i, j);
        finite[i] = none == 0.0;
    }
    return finite;
}

std::vector<double> validation_losses(const Solution &candidate, const Sample &rows,
                                      SelectionLoss loss, Evaluation evaluation) {
    std::vector<double> losses = loss == SelectionLoss::logistic
                                     ? logistic_losses(candidate, rows, evaluation)
                                     : label_losses(candidate, rows, loss, evaluation);
    const std::vector<bool> finite = finite_rows(rows);
    for (std::size_t i = 0; i < losses.size(); ++i)
        if (!finite[i]) losses[i] = kNothing;
    return losses;
}

}  // namespace dpadapt
