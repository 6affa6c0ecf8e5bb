#include "records/rows.hpp"

#include <cmath>

#include "records/arithmetic.hpp"

namespace dpadapt::records {
namespace {

/** Maps one record at a time; the buffers belong to a thread. */
class RecordMap {
  public:
    RecordMap(const Sample &sample, const Coordinates &coordinates, Unlabelled unlabelled)
        : x_(sample.x()),
          label_(sample.y()),
          to_(coordinates),
          unlabelled_(unlabelled),
          raw_(coordinates.features()),
          z_(coordinates.inputs()),
          made_(coordinates.dimension()),
          hidden_(coordinates.hidden) {}

    /** Writes zeta and returns the label; NaN where a record has none, or counts as none. */
    double operator()(std::size_t i, double *zeta, Counts &found) {
        const std::size_t features = raw_.size();
        const bool has_label = !std::isnan(label_[i]);
        // mutant: unlabelled_records_among_the_labels
        if (!has_label && unlabelled_ == Unlabelled::nothing) return neutralise(zeta, found);
        // finite only if the record is, or its values cancel at 1e308
        double sum = has_label ? label_[i] : 0.0;
        for (std::size_t j = 0; j < features; ++j) {
            sum += x_(i, j);
            raw_[j] = to_.scale(j) * (x_(i, j) - to_.center(j));
        }
        if (!std::isfinite(sum)) return neutralise(zeta, found);
        multiply(to_.whitening, raw_, z_.data());
        if (to_.constant) z_[features] = 1.0;
        clip(found);
        hidden_(z_, made_.data());
        multiply(to_.map, made_, zeta);
        const double label = has_label ? label_[i] - to_.label_center : 0.0;
        if (!std::isfinite(label) ||
            !std::all_of(zeta, zeta + made_.size(), [](double v) { return std::isfinite(v); }))
            return neutralise(zeta, found);
        if (!has_label) return label_[i];
        const double bound = to_.clipping.label_bound;
        const double clamped = std::clamp(label, -bound, bound);
        if (clamped != label) ++found.clamped_labels;
        return clamped;
    }

  private:
    double neutralise(double *zeta, Counts &found) const {
        ++found.not_finite;
        std::fill_n(zeta, made_.size(), 0.0);
        return to_.clipping.neutral_label;
    }

    /** Column after column, always in the same order; an empty matrix is the identity. */
    static void multiply(const arma::mat &matrix, std::span<const double> from, double *to) {
        if (matrix.is_empty()) {
            std::copy(from.begin(), from.end(), to);
            return;
        }
        std::fill_n(to, matrix.n_rows, 0.0);
        for (std::size_t j = 0; j < matrix.n_cols; ++j)
            add_column(from[j], matrix.colptr(j), matrix.n_rows, to);
    }

    /** The constant is no feature: it stays 1. */
    void clip(Counts &found) {
        const double radius = to_.clipping.feature_radius;
        if (std::isinf(radius)) return;
        double square = 0.0;
        for (std::size_t j = 0; j < raw_.size(); ++j) square += z_[j] * z_[j];
        const double norm = std::sqrt(square);
        if (!(norm > radius)) return;
        ++found.scaled;
        for (std::size_t j = 0; j < raw_.size(); ++j) z_[j] *= radius / norm;
    }

    const linalg::MatrixView &x_;
    const double *label_;
    const Coordinates &to_;
    Unlabelled unlabelled_;
    SecretVector<double> raw_;
    SecretVector<double> z_;
    SecretVector<double> made_;
    loss::HiddenUnits hidden_;
};

}  // namespace

/** A piece takes some ten milliseconds at most: a record of that many numbers is mapped, and its
 *  products are added up. Without anybody to ask there is one. */
Effort::Effort(std::size_t units, std::size_t numbers, std::size_t of_threads, Control *asked)
    : threads(of_threads), control(asked) {
    constexpr double kMostWork = 1 << 24;
    constexpr double kOfRecord = 512.0;  // what it costs whatever its numbers
    const auto size = static_cast<double>(numbers);
    const double work = static_cast<double>(units) * (size * (size + 16.0) + kOfRecord);
    pieces = asked == nullptr ? 1 : 1 + static_cast<std::size_t>(work / kMostWork);
}

Accumulator::Rows::Rows(const Sample &sample, const Coordinates &coordinates, std::size_t threads,
                        std::size_t rows_per_person, Unlabelled unlabelled, Control *control)
    : units_(sample, rows_per_person),
      dimension_(coordinates.dimension()),
      rows_(sample.rows() * dimension_),
      label_(sample.rows()),
      norm_(sample.rows()) {
    const auto map_rows = [&](std::size_t begin, std::size_t end, Counts &found) {
        RecordMap map_record(sample, coordinates, unlabelled);
        found.seen += end - begin;
        for (std::size_t i = begin; i < end; ++i) {
            double *zeta = rows_.data() + i * dimension_;
            label_[i] = map_record(i, zeta, found);
            norm_[i] = std::sqrt(product(zeta, zeta, dimension_));
        }
    };
    neutralised_ = sum_of_parts(sample.rows(), Effort(units_.count(), dimension_, threads, control),
                                Counts{}, map_rows);
}

}  // namespace dpadapt::records
