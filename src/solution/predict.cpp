#include "solution/predict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/control.hpp"
#include "base/error.hpp"
#include "linalg/blas.hpp"
#include "linalg/gram.hpp"
#include "linalg/kernels.hpp"
#include "loss/score_loss.hpp"

namespace dpadapt {

namespace {

/** Calls see(begin, end) for blocks of the rows. */
void each_block(const linalg::MatrixView &x, Evaluation evaluation, const auto &see) {
    const std::size_t step = evaluation == Evaluation::one_by_one ? 1 : linalg::rows_per_block(x);
    for (std::size_t begin = 0; begin < x.rows; begin += step) {
        count_work(step, x.cols);
        see(begin, std::min(x.rows, begin + step));
    }
}

/** Calls see(i, k) where row i has the code k. */
void each_code(const Codes &codes, const linalg::MatrixView &x, std::size_t begin, std::size_t end,
               const auto &see) {
    for (std::size_t k = 0; k < codes.column.size(); ++k)
        for (std::size_t i = begin; i < end; ++i)
            if (x(i, codes.column[k]) == codes.value[k]) see(i, k);
}

/** Rows in the coordinates of a loss. */
class Mapped {
  public:
    Mapped(const Coordinates &map, const linalg::MatrixView &x)
        : rows_{x, nullptr, 0.0, arma::vec(map.center), arma::vec(map.scale), {}, map.constant},
          whitening_(arma::vec(map.whitening)) {
        linalg::prepare_blas(1);
        if (!whitening_.is_empty()) whitening_.reshape(x.cols, x.cols);
    }

    /** One row a column. */
    void fill(std::size_t begin, std::size_t end, const Codes &codes, arma::mat &columns) const {
        linalg::fill_block(rows_, begin, end, false, columns);
        each_code(codes, rows_.x, begin, end, [&](std::size_t i, std::size_t k) {
            const std::size_t j = codes.column[k];
            columns(j, i - begin) = (codes.median[k] - rows_.center(j)) * rows_.scale(j);
        });
        if (whitening_.is_empty()) return;
        columns.head_rows(rows_.x.cols) = whitening_ * columns.head_rows(rows_.x.cols);
    }

  private:
    linalg::OneBlasThread one_thread_;  // linear scores need none, and a row must not wait for it
    linalg::AffineRows rows_;
    arma::mat whitening_;
};

/** The scores of rows: linear ones from the coefficients, others by the loss. */
class Scorer {
  public:
    Scorer(const Solution &solution, const linalg::MatrixView &x)
        : solution_(solution),
          x_(x),
          loss_(loss::make_loss(solution.loss, loss::Reading::public_records)) {
        if (!loss::is_linear(solution.loss)) mapped_.emplace(solution.coordinates, x);
    }

    [[nodiscard]] const loss::ScoreLoss &output() const { return *loss_->output(); }

    /** Those of a block, (end - begin) x outputs. */
    const std::vector<double> &operator()(std::size_t begin, std::size_t end) {
        score_.resize((end - begin) * solution_.outputs());
        if (mapped_) {
            by_loss(begin, end);
        } else {
            by_coefficients(begin, end);
        }
        return score_;
    }

    /** Moves the label of row i into its range. */
    [[nodiscard]] double bounded(std::size_t i, double label) const {
        const double lowest = solution_.settings.prediction_lowest;
        const double highest = solution_.settings.prediction_highest;
        const RowRange &range = solution_.row_range;
        const bool is_within = lowest <= label && label <= highest;
        if (is_within || range.coefficients.empty()) return std::clamp(label, lowest, highest);
        const double score = linear(i, range.coefficients.data(), range.intercept);
        double known = 0.0;
        output().predict(1, &score, &known);
        if (std::isnan(known)) return std::clamp(label, lowest, highest);
        known = std::clamp(known, range.lowest, range.highest);
        return std::clamp(label, std::min(lowest, known), std::max(highest, known));
    }

  private:
    /** The score of row i with the medians in place of its codes. */
    [[nodiscard]] double linear(std::size_t i, const double *coefficients, double score) const {
        std::vector<double> row(x_.cols);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] = x_(i, j);
        const Codes &codes = solution_.codes;
        each_code(codes, x_, i, i + 1, [&](std::size_t /*row*/, std::size_t k) {
            row[codes.column[k]] = codes.median[k];
        });
        return std::inner_product(row.begin(), row.end(), coefficients, score);
    }

    /** A block row by row, so that a prediction has the same bits in every layout. */
    [[nodiscard]] linalg::MatrixView by_row(std::size_t begin, std::size_t end) {
        if (x_.row_major) return {x_.row(begin), end - begin, x_.cols, x_.stride, true};
        rows_.resize((end - begin) * x_.cols);
        for (std::size_t j = 0; j < x_.cols; ++j)
            for (std::size_t i = begin; i < end; ++i) rows_[(i - begin) * x_.cols + j] = x_(i, j);
        return {rows_.data(), end - begin, x_.cols, x_.cols, true};
    }

    void by_coefficients(std::size_t begin, std::size_t end) {
        double *out = score_.data();
        const linalg::MatrixView rows = by_row(begin, end);
        for (std::size_t k = 0; k < solution_.outputs(); ++k, out += end - begin) {
            linalg::row_products(rows, solution_.coefficients.data() + k * x_.cols, 0, end - begin,
                                 out);
            for (std::size_t i = 0; i < end - begin; ++i) out[i] += solution_.intercept[k];
        }
        each_code(solution_.codes, x_, begin, end, [&](std::size_t i, std::size_t /*code*/) {
            for (std::size_t k = 0; k < solution_.outputs(); ++k)
                score_[k * (end - begin) + i - begin] =
                    linear(i, solution_.coefficients.data() + k * x_.cols, solution_.intercept[k]);
        });
    }

    void by_loss(std::size_t begin, std::size_t end) {
        mapped_->fill(begin, end, solution_.codes, columns_);
        loss_->scores({end - begin, columns_.n_rows, columns_.memptr(), nullptr},
                      solution_.parameters, score_);
        for (double &score : score_) score += solution_.coordinates.label_center;
    }

    const Solution &solution_;
    const linalg::MatrixView &x_;
    std::unique_ptr<const loss::Loss> loss_;
    std::optional<Mapped> mapped_;  ///< where scores are not linear
    arma::mat columns_;
    std::vector<double> rows_;
    std::vector<double> score_;
};

/** Writes a block of rows, column after column, to where it belongs among all rows. */
void place(const std::vector<double> &block, std::size_t begin, std::size_t end, std::size_t rows,
           std::vector<double> &all) {
    const std::size_t n = end - begin;
    for (std::size_t k = 0; k * n < block.size(); ++k)
        std::copy_n(block.data() + k * n, n, all.data() + k * rows + begin);
}

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

Solution predictor_of(const Solution &solution) {
    Solution predictor;
    predictor.loss = solution.loss;
    predictor.coefficients = solution.coefficients;
    predictor.intercept = solution.intercept;
    predictor.parameters = solution.parameters;
    predictor.coordinates = solution.coordinates;
    predictor.row_range = solution.row_range;
    predictor.codes = solution.codes;
    predictor.source_rows = solution.source_rows;
    predictor.target_rows = solution.target_rows;
    predictor.settings.prediction_lowest = solution.settings.prediction_lowest;
    predictor.settings.prediction_highest = solution.settings.prediction_highest;
    return predictor;
}

void check_scores(const Solution &solution) {
    if (solution.loss.kind == loss::Kind::custom)
        throw Error(DPA_E_UNSUPPORTED,
                    "the loss is a function of the caller, who alone knows what its parameters "
                    "predict");
}

void check_probabilities(const Solution &solution) {
    check_scores(solution);
    if (!loss::predicts_classes(solution.loss))
        throw Error(DPA_E_UNSUPPORTED, "a loss without classes has no probabilities");
}

std::vector<double> scores(const Solution &solution, const linalg::MatrixView &x,
                           Evaluation evaluation) {
    check_scores(solution);
    Scorer score(solution, x);
    std::vector<double> result(x.rows * solution.outputs());
    each_block(x, evaluation, [&](std::size_t begin, std::size_t end) {
        place(score(begin, end), begin, end, x.rows, result);
    });
    return result;
}

std::vector<double> predict(const Solution &solution, const linalg::MatrixView &x,
                            Evaluation evaluation) {
    check_scores(solution);
    Scorer score(solution, x);
    std::vector<double> result(x.rows);
    each_block(x, evaluation, [&](std::size_t begin, std::size_t end) {
        const std::vector<double> &block = score(begin, end);
        const std::size_t n = end - begin;
        score.output().predict(n, block.data(), result.data() + begin);
        for (std::size_t i = begin; i < end; ++i) result[i] = score.bounded(i, result[i]);
        for (std::size_t k = 0; k < solution.outputs(); ++k)
            for (std::size_t i = 0; i < n; ++i)
                if (std::isnan(block[k * n + i])) result[begin + i] = block[k * n + i];
    });
    return result;
}

std::vector<double> probabilities(const Solution &solution, const linalg::MatrixView &x) {
    check_probabilities(solution);
    Scorer score(solution, x);
    std::vector<double> result(x.rows * solution.outputs());
    std::vector<double> block;
    each_block(x, Evaluation::in_blocks, [&](std::size_t begin, std::size_t end) {
        const std::vector<double> &scores = score(begin, end);
        block.resize(scores.size());
        score.output().probabilities(end - begin, scores.data(), block.data());
        place(block, begin, end, x.rows, result);
    });
    return result;
}

std::vector<double> transform(const Solution &solution, const linalg::MatrixView &x) {
    const Mapped mapped(solution.coordinates, x);
    std::vector<double> result(x.rows * solution.dimension());
    arma::mat columns;
    each_block(x, Evaluation::in_blocks, [&](std::size_t begin, std::size_t end) {
        mapped.fill(begin, end, solution.codes, columns);
        std::copy(columns.begin(), columns.end(),
                  result.begin() + static_cast<std::ptrdiff_t>(begin * columns.n_rows));
    });
    return result;
}

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
