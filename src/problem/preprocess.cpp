#include "problem/preprocess.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "linalg/blas.hpp"
#include "linalg/gram.hpp"
#include "linalg/passes.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt {
namespace {

/** Whether deviations of this size are the rounding errors of the mean of a constant column. */
bool is_constant(double deviation, double mean, double rows) {
    return deviation <= rows * std::numeric_limits<double>::epsilon() * std::abs(mean);
}

/** (C + ridge I)^(-1/2). */
arma::mat inverse_root(arma::mat correlation, double ridge) {
    const linalg::Spectrum spectrum = linalg::decompose(std::move(correlation));
    const arma::vec roots = arma::sqrt(arma::clamp(spectrum.values, 0.0, arma::datum::inf) + ridge);
    return spectrum.vectors * arma::diagmat(1.0 / roots) * spectrum.vectors.t();
}

}  // namespace

Preprocess::Preprocess(const Sample &sample, const Settings &settings, const Sample *beside)
    : center_(sample.features(), arma::fill::zeros),
      scale_(sample.features(), arma::fill::ones),
      intercept_(settings.intercept) {
    linalg::prepare_blas(settings.threads);  // every computation begins here
    learn(sample, settings);
    if (beside != nullptr && whitening_.is_empty() && features() > sample.rows() + beside->rows())
        span(sample, *beside);
}

void Preprocess::span(const Sample &sample, const Sample &beside) {
    arma::mat columns(features(), sample.rows() + beside.rows());
    arma::uword done = 0;
    for (const Sample *rows_of : {&sample, &beside}) {
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

void Preprocess::learn(const Sample &sample, const Settings &settings) {
    if (settings.preprocess == PreprocessKind::none) return;
    const auto m = static_cast<double>(sample.rows());
    if (intercept_ && centers_labels(settings.loss))
        label_center_ = std::accumulate(sample.y(), sample.y() + sample.rows(), 0.0) / m;
    if (intercept_) center_ = linalg::column_sums(sample.x(), settings.threads) / m;
    const arma::vec squares = linalg::column_squares(sample.x(), center_, settings.threads);
    for (arma::uword j = 0; j < scale_.n_elem; ++j) {
        const double deviation = std::sqrt(squares(j) / m);
        if (is_constant(deviation, center_(j), m)) {
            center_(j) =
                sample.x()(0, j);  // exactly: not even a rounding error is left of the column
        } else {
            scale_(j) = 1.0 / deviation;
        }
    }
    if (!std::isfinite(label_center_) || !center_.is_finite() || !squares.is_finite() ||
        !scale_.is_finite())
        throw Error(DPA_E_NUMERICAL, "the moments of the public sample overflow");
    if (settings.preprocess == PreprocessKind::standardize) return;
    linalg::AffineRows features = rows(sample);
    features.constant = false;
    whitening_ =
        inverse_root(linalg::weighted_gram(features, nullptr, false) / m, settings.whiten_ridge);
}

linalg::AffineRows Preprocess::rows(const Sample &sample) const {
    return {sample.x(), sample.y(), label_center_, center_, scale_, {}, intercept_};
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
    predictor.intercept = label_center_ - arma::dot(predictor.coefficients, center_);
    if (intercept_) predictor.intercept += scaled(features());
    return predictor;
}

arma::vec Preprocess::from_user(const Predictor &predictor) const {
    arma::vec w(dimension());
    arma::vec scaled = predictor.coefficients / scale_;
    if (!whitening_.is_empty() &&
        !arma::solve(scaled, whitening_, scaled,
                     arma::solve_opts::likely_sympd + arma::solve_opts::no_approx))
        throw Error(DPA_E_NUMERICAL, "the whitening matrix cannot be inverted");
    if (!basis_.is_empty()) scaled = basis_.t() * scaled;
    w.head(scaled.n_elem) = scaled;
    if (intercept_)
        w(scaled.n_elem) =
            predictor.intercept - label_center_ + arma::dot(predictor.coefficients, center_);
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

}  // namespace dpadapt
