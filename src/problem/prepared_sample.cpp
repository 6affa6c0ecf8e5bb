#include "problem/prepared_sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/control.hpp"
#include "linalg/gram.hpp"
#include "problem/public_sample.hpp"

namespace dpadapt {

PreparedSample::PreparedSample(const Sample &sample, const Preprocess &preprocess,
                               std::size_t threads)
    : rows_(preprocess.rows(sample)),
      preprocess_(&preprocess),
      threads_(threads),
      relative_(sample.relative_weights()),
      mean_weight_(sample.mean_weight()),
      count_(static_cast<double>(sample.rows())),
      repeats_(sample.population() != nullptr && sample.population()->is_in_memory()) {
    if (repeats_) count_ = static_cast<double>(sample.population()->rows());
    if (!preprocess.basis().is_empty()) store_in_basis();
}

void PreparedSample::store_in_basis() {
    const arma::mat &basis = preprocess_->basis();
    linalg::AffineRows features = rows_;
    features.constant = false;
    arma::mat columns(basis.n_rows, rows());
    linalg::fill_block(features, 0, rows(), false, columns);
    stored_ = std::make_shared<const arma::mat>(basis.t() * columns);
    rows_.x = {stored_->memptr(), rows(), stored_->n_rows, stored_->n_rows, true};
    rows_.center.zeros(stored_->n_rows);
    rows_.scale.ones(stored_->n_rows);
}

void PreparedSample::clip(const Clipping &bounds) {
    if (std::isfinite(bounds.label_bound)) {
        clamped_.assign(rows_.label, rows_.label + rows());
        const double center = rows_.label_center;
        for (double &y : clamped_)
            y = std::clamp(y, center - bounds.label_bound, center + bounds.label_bound);
        rows_.label = clamped_.data();
    }
    if (std::isfinite(bounds.feature_radius)) {
        std::vector<double> scale = feature_norms();
        for (double &value : scale)
            value = value > bounds.feature_radius ? bounds.feature_radius / value : 1.0;
        rows_.row_scale = std::move(scale);
    }
}

PreparedSample PreparedSample::without_labels() const {
    PreparedSample sample(*this);
    sample.clamped_.assign(rows(), 0.0);
    sample.rows_.label = sample.clamped_.data();
    sample.rows_.label_center = 0.0;
    return sample;
}

std::vector<double> PreparedSample::labels() const {
    std::vector<double> labels(rows_.label, rows_.label + rows());
    for (double &label : labels) label -= rows_.label_center;
    return labels;
}

void PreparedSample::fill(std::size_t begin, std::size_t end, arma::mat &columns) const {
    linalg::fill_block(rows_, begin, end, false, columns);
    const arma::mat &whitening = preprocess_->whitening();
    if (whitening.is_empty()) return;
    const arma::uword features = preprocess_->features();
    columns.head_rows(features) = whitening * columns.head_rows(features);
}

arma::mat PreparedSample::gram(const double *weight) const {
    return preprocess_->whiten_gram(linalg::weighted_gram(rows_, weight, false));
}

std::vector<double> PreparedSample::shares(double total) const {
    const double share = total / static_cast<double>(rows());
    std::vector<double> shares(rows(), share);
    for (std::size_t i = 0; i < relative_.size(); ++i) shares[i] *= relative_[i];
    return shares;
}

double PreparedSample::effective_rows() const {
    const auto n = static_cast<double>(rows());
    if (repeats_) return count_;
    if (relative_.empty()) return n;
    double squares = 0.0;
    for (const double weight : relative_) squares += weight * weight;
    return n * n / squares;
}

double PreparedSample::mean(const std::vector<double> &values) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += relative_.empty() ? values[i] : relative_[i] * values[i];
    return sum / static_cast<double>(values.size());
}

double PreparedSample::label_deviation() const {
    std::vector<double> values = labels();
    const double center = mean(values);
    for (double &y : values) y = (y - center) * (y - center);
    return std::sqrt(mean(values));
}

double PreparedSample::label_size() const {
    std::vector<double> values = labels();
    for (double &y : values) y = (y + rows_.label_center) * (y + rows_.label_center);
    return std::sqrt(mean(values));
}

Moments PreparedSample::moments() const {
    const double *weight = relative_.empty() ? nullptr : relative_.data();
    const arma::mat gram = preprocess_->whiten_gram(linalg::weighted_gram(rows_, weight, true)) /
                           static_cast<double>(rows());
    const arma::uword d = dimension();
    return {gram.submat(0, 0, d - 1, d - 1), gram.submat(0, d, d - 1, d), gram(d, d)};
}

std::vector<double> PreparedSample::feature_norms() const {
    return linalg::mapped_norms(rows_, preprocess_->whitening_map().head_rows(rows_.x.cols));
}

std::vector<double> PreparedSample::mapped_norms(const arma::mat &map) const {
    return linalg::mapped_norms(rows_, map * preprocess_->whitening_map());
}

DistinctRows::DistinctRows(const arma::mat &all) : point(all.n_cols) {
    std::size_t compared = 0;
    const auto less = [&](std::size_t i, std::size_t j) {
        constexpr std::size_t kOften = 1U << 16U;
        constexpr std::size_t kOfComparison = 16;  // of rows anywhere in memory
        if (++compared % kOften == 0) count_work(kOften, kOfComparison);
        return std::lexicographical_compare(all.begin_col(i), all.end_col(i), all.begin_col(j),
                                            all.end_col(j));
    };
    std::vector<std::size_t> order(all.n_cols);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), less);
    std::vector<arma::uword> first;
    std::vector<double> counts;
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (k == 0 || less(order[k - 1], order[k])) {
            first.push_back(order[k]);
            counts.push_back(0.0);
        }
        point[order[k]] = first.size() - 1;
        ++counts.back();
    }
    columns = all.cols(arma::uvec(first));
    count = arma::vec(counts);
}

std::vector<double> DistinctRows::spread(const arma::vec &weights) const {
    std::vector<double> q(point.size());
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = weights(point[i]) / count(point[i]);
    return q;
}

}  // namespace dpadapt
