#include "problem/preprocess.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "linalg/blas.hpp"
#include "linalg/gram.hpp"
#include "linalg/passes.hpp"
#include "linalg/trust_region.hpp"
#include "problem/public_sample.hpp"

namespace dpadapt {

namespace {

/** Whether deviations of this size are the rounding errors of the mean of a constant column. */
bool is_constant(double deviation, double mean, double rows) {
    return deviation <= rows * std::numeric_limits<double>::epsilon() * std::abs(mean);
}

double finite(double value, const char *name, std::size_t row) {
    if (std::isfinite(value)) return value;
    throw Error(DPA_E_NONFINITE, std::string(name) + " row " + std::to_string(row) +
                                     " must be finite, but has " + to_text(value));
}

}  // namespace

ColumnMeans column_means(const Sample &sample, std::size_t threads) {
    const auto m = static_cast<double>(sample.rows());
    const std::vector<double> weights = sample.relative_weights();
    ColumnMeans means;
    if (weights.empty()) {
        const linalg::MatrixView labels{sample.y(), sample.rows(), 1, sample.rows()};
        means.mean = linalg::column_sums(sample.x(), threads) / m;
        means.variance = linalg::column_squares(sample.x(), means.mean, threads) / m;
        means.label = std::accumulate(sample.y(), sample.y() + sample.rows(), 0.0) / m;
        means.label_variance =
            arma::accu(linalg::column_squares(labels, arma::vec{means.label}, threads)) / m;
        return means;
    }
    const auto rows = linalg::AffineRows::plain(sample.x(), sample.y());
    means.mean = linalg::gradient_pass(rows, weights.data(), threads) / m;
    means.variance.zeros(means.mean.n_elem);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        means.label += weights[i] / m * sample.y()[i];
        for (arma::uword j = 0; j < means.mean.n_elem; ++j) {
            const double deviation = sample.x()(i, j) - means.mean(j);
            means.variance(j) += weights[i] / m * deviation * deviation;
        }
    }
    return means;
}

void check_offsets(const Sample &sample, std::size_t threads) {
    constexpr double kMostDeviations = 1e4;
    const auto m = static_cast<double>(sample.rows());
    const ColumnMeans means = column_means(sample, threads);
    for (arma::uword j = 0; j < means.mean.n_elem; ++j) {
        const double deviation = std::sqrt(means.variance(j));
        if (is_constant(deviation, means.mean(j), m) ||
            std::abs(means.mean(j)) <= kMostDeviations * deviation)
            continue;
        throw Error(DPA_E_NUMERICAL,
                    "column " + std::to_string(j) +
                        " of the public sample has a mean of more than "
                        "10000 deviations, which preprocess = none keeps: subtract it, or use "
                        "preprocess = standardize");
    }
}

Preprocess::Preprocess(const Sample &sample, const Settings &settings, const Sample *beside)
    : center_(sample.features(), arma::fill::zeros),
      scale_(sample.features(), arma::fill::ones),
      intercept_(settings.intercept) {
    linalg::prepare_blas(settings.threads);  // every computation begins here
    learn(sample, settings, beside);
    if (beside == nullptr || !whitening_.is_empty()) return;
    if (beside == &sample)
        span({&sample});
    else
        span({&sample, beside});
}

Preprocess::Preprocess(arma::vec center, arma::vec scale, arma::mat whitening, bool intercept,
                       double label_center)
    : center_(std::move(center)),
      scale_(std::move(scale)),
      whitening_(std::move(whitening)),
      label_center_(label_center),
      intercept_(intercept) {
    linalg::prepare_blas(1);
}

void Preprocess::span(const std::vector<const Sample *> &samples) {
    std::size_t count = 0;
    for (const Sample *rows_of : samples) count += rows_of->rows();
    if (features() <= count) return;
    arma::mat columns(features(), count);
    arma::uword done = 0;
    for (const Sample *rows_of : samples) {
        linalg::AffineRows all = rows(*rows_of);
        all.constant = false;
        arma::mat block(features(), all.rows());
        linalg::fill_block(all, 0, all.rows(), false, block);
        columns.cols(done, done + all.rows() - 1) = block;
        done += all.rows();
    }
    arma::mat triangle;
    if (!columns.is_finite() || !arma::qr_econ(basis_, triangle, columns))
        throw Error(DPA_E_NUMERICAL, "the rows of the samples overflow");
}

void Preprocess::learn(const Sample &sample, const Settings &settings, const Sample *beside) {
    if (settings.preprocess == PreprocessKind::none) return;
    const auto m = static_cast<double>(sample.rows());
    const std::vector<double> weights = sample.relative_weights();
    const Population *all = sample.population();
    const ColumnMeans *known = all != nullptr ? all->means() : nullptr;
    const ColumnMeans means = known != nullptr ? *known : column_means(sample, settings.threads);
    if (intercept_ && centers_labels(settings.loss)) label_center_ = means.label;
    if (intercept_) center_ = means.mean;
    const arma::vec squares = means.variance + arma::square(means.mean - center_);
    arma::uvec constant(scale_.n_elem, arma::fill::zeros);
    for (arma::uword j = 0; j < scale_.n_elem; ++j) {
        const double deviation = std::sqrt(squares(j));
        if (is_constant(deviation, center_(j), m)) {
            center_(j) =
                sample.x()(0, j);  // exactly: not even a rounding error is left of the column
            // Rows that the sample lacks may differ, by no more than that.
            const double range = all != nullptr ? all->range(j) : 0.0;
            if (range > 0.0) {
                scale_(j) = 1.0 / range;
            } else {
                constant(j) = 1;
            }
        } else {
            scale_(j) = 1.0 / deviation;
        }
    }
    if (!std::isfinite(label_center_) || !center_.is_finite() || !squares.is_finite() ||
        !scale_.is_finite())
        throw Error(DPA_E_NUMERICAL, "the moments of the public sample overflow");
    if (beside != nullptr && arma::any(constant)) scale_constant(constant, *beside);
    if (settings.preprocess == PreprocessKind::standardize) return;
    linalg::AffineRows features = rows(sample);
    features.constant = false;
    const double *weight = weights.empty() ? nullptr : weights.data();
    // (C + ridge I)^(-1/2).
    const linalg::Spectrum c =
        linalg::decompose(linalg::weighted_gram(features, weight, false) / m);
    whitening_ = c.with(
        1.0 / arma::sqrt(arma::clamp(c.values, 0.0, arma::datum::inf) + settings.whiten_ridge));
}

void Preprocess::scale_constant(const arma::uvec &constant, const Sample &beside) {
    const std::vector<double> weights = beside.relative_weights();
    for (const arma::uword j : arma::uvec(arma::find(constant))) {
        double square = 0.0;  // about the centre, which is exact: of a constant it is 0
        for (std::size_t i = 0; i < beside.rows(); ++i) {
            const double deviation = beside.x()(i, j) - center_(j);
            square += (weights.empty() ? 1.0 : weights[i]) * deviation * deviation;
        }
        const double deviation = std::sqrt(square / static_cast<double>(beside.rows()));
        scale_(j) = deviation > 0.0 ? 1.0 / deviation : 0.0;
        if (!std::isfinite(square) || !std::isfinite(scale_(j)))
            throw Error(DPA_E_NUMERICAL, "the moments of the samples overflow");
    }
}

arma::vec Preprocess::lift(const arma::vec &w) const {
    if (basis_.is_empty()) return w;
    arma::vec lifted = basis_ * w.head(basis_.n_cols);
    if (intercept_) lifted.insert_rows(lifted.n_elem, w.tail(1));
    return lifted;
}

Predictor Preprocess::to_user(const arma::vec &w) const {
    const arma::vec scaled = whiten(lift(w));
    Predictor predictor{scale_ % scaled.head(features()), 0.0};
    predictor.intercept =
        label_center_ + score_center_ - arma::dot(predictor.coefficients, center_);
    if (intercept_) predictor.intercept += scaled(features());
    return predictor;
}

arma::vec Preprocess::from_user(const Predictor &predictor) const {
    arma::vec w(dimension());
    arma::vec scaled = predictor.coefficients / scale_;
    scaled.elem(arma::find(scale_ == 0.0)).zeros();
    if (!whitening_.is_empty() &&
        !arma::solve(scaled, whitening_, scaled,
                     arma::solve_opts::likely_sympd + arma::solve_opts::no_approx))
        throw Error(DPA_E_NUMERICAL, "the whitening matrix cannot be inverted");
    if (!basis_.is_empty()) scaled = basis_.t() * scaled;
    w.head(scaled.n_elem) = scaled;
    if (intercept_)
        w(scaled.n_elem) = predictor.intercept - label_center_ - score_center_ +
                           arma::dot(predictor.coefficients, center_);
    return w;
}

arma::vec Preprocess::whiten(arma::vec v) const {
    if (!whitening_.is_empty()) v.head(features()) = whitening_ * v.head(features());
    return v;
}

arma::mat Preprocess::whitening_map() const {
    arma::mat map(dimension(), dimension(), arma::fill::eye);
    if (!whitening_.is_empty()) map.submat(0, 0, features() - 1, features() - 1) = whitening_;
    return map;
}

arma::mat Preprocess::whiten_gram(arma::mat gram) const {
    if (!whitening_.is_empty()) {
        gram.head_rows(features()) = whitening_ * gram.head_rows(features());
        gram.head_cols(features()) = gram.head_cols(features()) * whitening_;
    }
    return arma::symmatl(gram);
}

SourceMap::SourceMap(const linalg::MatrixView &matrix, const double *offset)
    : from_(matrix.cols), columns_(matrix.rows) {
    for (std::size_t j = 0; j < matrix.rows; ++j) {
        Column &column = columns_[j];
        if (offset != nullptr) column.offset = finite(offset[j], "offset", j);
        for (std::size_t k = 0; k < from_; ++k)
            if (const double factor = finite(matrix(j, k), "matrix", j); factor != 0.0)
                column.terms.push_back({k, factor});
    }
}

Sample SourceMap::apply(const Sample &rows) const {
    const linalg::MatrixView &x = rows.x();
    const auto write = [&](double *to, double *labels) {
        if (labels != nullptr) std::copy_n(rows.y(), rows.rows(), labels);
        for (std::size_t i = 0; i < rows.rows(); ++i) {
            for (const Column &column : columns_) {
                double value = column.offset;
                // mutant: row_of_another_record
                for (const Term &term : column.terms) value += term.factor * x(i, term.column);
                *to++ = value;
            }
        }
    };
    Sample mapped = Sample::fill(rows.rows(), to(), !rows.unlabelled(), write);
    mapped.weigh(rows.weights());
    return mapped;
}

}  // namespace dpadapt
