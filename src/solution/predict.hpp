#pragma once

#include <optional>
#include <span>
#include <vector>

#include "linalg/matrix_view.hpp"
#include "problem/sample.hpp"
#include "problem/settings.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** One by one, what is computed for a row is a function of that row alone, bit for bit: for private
 *  rows. */
enum class Evaluation { in_blocks, one_by_one };

/** What predicts: the solution without its weights and its report. */
[[nodiscard]] Solution predictor_of(const Solution &solution);

/** Throws Error(DPA_E_UNSUPPORTED) for a caller's loss. */
void check_scores(const Solution &solution);

/** Throws it for all losses but those of classes. */
void check_probabilities(const Solution &solution);

/** The scores of rows in the user's features, rows x outputs, column after column. */
[[nodiscard]] std::vector<double> scores(const Solution &solution, const linalg::MatrixView &x,
                                         Evaluation evaluation = Evaluation::in_blocks);

/** A label for every row, within the range of the solution; NaN where a score is. */
[[nodiscard]] std::vector<double> predict(const Solution &solution, const linalg::MatrixView &x,
                                          Evaluation evaluation = Evaluation::in_blocks);

/** Probabilities of the classes, or of the label +1, as scores are. */
[[nodiscard]] std::vector<double> probabilities(const Solution &solution,
                                                const linalg::MatrixView &x);

/** Throws it for all losses but survival. */
void check_survival(const Solution &solution);

/** The probability of every row to be without an event up to each time, rows x times, column after
 *  column; NaN where nothing is known. With a confidence the lower ends of intervals around the
 *  target's own estimate, which must be there, then the upper ones. */
[[nodiscard]] std::vector<double> survival(const Solution &solution, const linalg::MatrixView &x,
                                           std::span<const double> times,
                                           std::optional<double> confidence);

/** The rows in the coordinates of the loss, row after row. */
[[nodiscard]] std::vector<double> transform(const Solution &solution, const linalg::MatrixView &x);

/** Which rows have no number, label included, that is not finite. */
[[nodiscard]] std::vector<bool> finite_rows(const Sample &rows);

/** Losses of labelled rows; NaN where the row, the prediction or the meaning of the label is
 *  missing. */
[[nodiscard]] std::vector<double> validation_losses(const Solution &candidate, const Sample &rows,
                                                    SelectionLoss loss, Evaluation evaluation);

}  // namespace dpadapt
