#include "problem/private_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/multiversion.hpp"

namespace dpadapt {
namespace {

/** a . b in eight sums side by side, added up in a fixed order. */
DPA_MULTIVERSION
double product(const double *a, const double *b, std::size_t n) {
    constexpr std::size_t kLanes = 8;
    double lanes[kLanes] = {};
    std::size_t k = 0;
    for (; k + kLanes <= n; k += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[k + lane] * b[k + lane];
    double sum = 0.0;
    for (; k < n; ++k) sum += a[k] * b[k];
    for (const double lane : lanes) sum += lane;
    return sum;
}

/** to += factor column. */
DPA_MULTIVERSION
void add_column(double factor, const double *column, std::size_t n, double *to) {
    for (std::size_t k = 0; k < n; ++k) to[k] += factor * column[k];
}

/** Maps one record at a time; the buffers belong to a thread. */
class RecordMap {
  public:
    RecordMap(const Sample &sample, const Preprocess &preprocess, const Clipping &clipping,
              const arma::mat &map)
        : affine_(preprocess.rows(sample)),
          whitening_(preprocess.whitening()),
          clipping_(clipping),
          map_(map),
          raw_(sample.features()),
          z_(preprocess.dimension()) {}

    /** Writes zeta and returns the label. */
    double operator()(std::size_t i, double *zeta, Neutralised &found) {
        const std::size_t features = raw_.size();
        double sum =
            affine_.label[i];  // finite only if the record is, or its values cancel at 1e308
        for (std::size_t j = 0; j < features; ++j) {
            sum += affine_.x(i, j);
            raw_[j] = affine_.scale(j) * (affine_.x(i, j) - affine_.center(j));
        }
        if (!std::isfinite(sum)) return neutralise(zeta, found);
        multiply(whitening_, raw_, z_.data());
        if (affine_.constant) z_[features] = 1.0;
        clip(found);
        multiply(map_, z_, zeta);
        const double label = affine_.label[i] - affine_.label_center;
        if (!std::isfinite(label) ||
            !std::all_of(zeta, zeta + z_.size(), [](double v) { return std::isfinite(v); }))
            return neutralise(zeta, found);
        const double clamped = std::clamp(label, -clipping_.label_bound, clipping_.label_bound);
        if (clamped != label) ++found.clamped_labels;
        return clamped;
    }

  private:
    double neutralise(double *zeta, Neutralised &found) const {
        ++found.not_finite;
        std::fill_n(zeta, z_.size(), 0.0);
        return clipping_.neutral_label;
    }

    /** Column after column, always in the same order; an empty matrix is the identity. */
    static void multiply(const arma::mat &matrix, const std::vector<double> &from, double *to) {
        if (matrix.is_empty()) {
            std::copy(from.begin(), from.end(), to);
            return;
        }
        std::fill_n(to, matrix.n_rows, 0.0);
        for (std::size_t j = 0; j < matrix.n_cols; ++j)
            add_column(from[j], matrix.colptr(j), matrix.n_rows, to);
    }

    /** The constant is no feature: it stays 1. */
    void clip(Neutralised &found) {
        if (std::isinf(clipping_.feature_radius)) return;
        double square = 0.0;
        for (std::size_t j = 0; j < raw_.size(); ++j) square += z_[j] * z_[j];
        const double norm = std::sqrt(square);
        if (!(norm > clipping_.feature_radius)) return;
        ++found.scaled;
        for (std::size_t j = 0; j < raw_.size(); ++j) z_[j] *= clipping_.feature_radius / norm;
    }

    linalg::AffineRows affine_;
    const arma::mat &whitening_;
    Clipping clipping_;
    const arma::mat &map_;
    std::vector<double> raw_;
    std::vector<double> z_;
};

}  // namespace

PrivateRows::PrivateRows(const Sample &sample, const Preprocess &preprocess,
                         const Clipping &clipping, const arma::mat &map, std::size_t threads,
                         Neutralised *found)
    : dimension_(preprocess.dimension()),
      rows_(sample.rows() * dimension_),
      label_(sample.rows()),
      norm_(sample.rows()) {
    const linalg::Chunks chunks(sample.x());
    std::vector<Neutralised> counts(chunks.count());
    parallel_for(chunks.count(), threads, [&](std::size_t chunk) {
        RecordMap map_record(sample, preprocess, clipping, map);
        for (std::size_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
            label_[i] = map_record(i, rows_.data() + i * dimension_, counts[chunk]);
            norm_[i] = std::sqrt(product(row(i), row(i), dimension_));
        }
    });
    if (found == nullptr) return;
    for (const Neutralised &count : counts) {
        found->not_finite += count.not_finite;
        found->scaled += count.scaled;
        found->clamped_labels += count.clamped_labels;
    }
}

double PrivateRows::score(std::size_t i, const double *v) const {
    return product(v, row(i), dimension_);
}

double PrivateRows::residual(std::size_t i, const double *v) const {
    return score(i, v) - label_[i];
}

std::size_t PrivateRows::labels_without_meaning(const loss::Loss &loss) const {
    return static_cast<std::size_t>(std::count_if(label_.begin(), label_.end(), [&](double label) {
        return std::isfinite(label) && !loss.accepts(label);
    }));
}

}  // namespace dpadapt
