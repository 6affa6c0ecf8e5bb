#include "solution/errors.hpp"

#include <cmath>

#include "solution/validation_loss.hpp"

namespace dpadapt {
namespace {

/** Minus log probabilities and errors are those by which solutions are selected. */
void read_classes(const Solution &solution, const Sample &rows, Evaluation evaluation,
                  std::vector<RowError> &errors) {
    const auto losses = validation_losses(solution, rows, SelectionLoss::logistic, evaluation);
    const auto wrong = validation_losses(solution, rows, SelectionLoss::error, evaluation);
    const std::size_t n = rows.rows();
    for (std::size_t i = 0; i < n; ++i) {
        if (std::isnan(losses[i]) || std::isnan(wrong[i])) continue;
        errors[i].size = std::max(losses[i], 0.0);
        errors[i].wrong = wrong[i] != 0.0;
    }
    if (!has_log_odds(solution.loss)) return;
    const std::vector<double> score = scores(solution, rows.x(), evaluation);
    for (std::size_t i = 0; i < n; ++i) {
        if (!errors[i].size) continue;
        errors[i].log_odds = solution.outputs() == 1 ? score[i] : score[n + i] - score[i];
        errors[i].positive = rows.y()[i] > 0.0;
    }
}

void read_numbers(const Solution &solution, const Sample &rows, Evaluation evaluation,
                  std::vector<RowError> &errors) {
    const std::vector<bool> finite = finite_rows(rows);
    const auto predicted = predict(solution, rows.x(), evaluation);
    for (std::size_t i = 0; i < errors.size(); ++i) {
        const double residual = rows.y()[i] - predicted[i];
        if (!finite[i] || !std::isfinite(residual)) continue;
        errors[i].size = std::abs(residual);
        errors[i].above = residual > 0.0;
    }
}

}  // namespace

bool has_log_odds(const loss::Choice &choice) {
    if (!loss::predicts_classes(choice)) return false;
    return loss::scores(choice) == (loss::counts_classes(choice) ? 2 : 1);
}

std::vector<RowError> row_errors(const Solution &solution, const Sample &rows,
                                 Evaluation evaluation) {
    std::vector<RowError> errors(rows.rows());
    if (loss::predicts_classes(solution.loss))
        read_classes(solution, rows, evaluation, errors);
    else
        read_numbers(solution, rows, evaluation, errors);
    return errors;
}

}  // namespace dpadapt
